package org.alamein.client;

import org.alamein.v1.AttackKind;
import org.alamein.v1.End;
import org.alamein.v1.Entry;
import org.alamein.v1.FireLaneQuestion;
import org.alamein.v1.LaneMover;
import org.alamein.v1.LineOfFireQuestion;
import org.alamein.v1.LineOfSightQuestion;
import org.alamein.v1.MovementQuestion;
import org.alamein.v1.Mover;
import org.alamein.v1.Question;

/** Makes the questions that are asked most. The others are made with their builders. */
public final class Questions {
  private Questions() {}

  /**
   * An end of a line: a counter of the position.
   *
   * @param id the counter's id
   * @return the end
   */
  public static End atCounter(String id) {
    return End.newBuilder().setCounterId(id).build();
  }

  /**
   * An end of a line: a hex, with ordinary Infantry on the ground there.
   *
   * @param hex the hex, such as {@code P6}
   * @return the end
   */
  public static End atHex(String hex) {
    return End.newBuilder().setHex(hex).build();
  }

  /**
   * Is there a LOS between two ends?
   *
   * @param from one end
   * @param to the other
   * @return the question
   */
  public static Question lineOfSight(End from, End to) {
    var asked = LineOfSightQuestion.newBuilder().setFrom(from).setTo(to);
    return Question.newBuilder().setLineOfSight(asked).build();
  }

  /**
   * What protects the target of Direct Fire? For other attacks and munitions see {@link
   * LineOfFireQuestion}.
   *
   * @param from the firer
   * @param to the target
   * @return the question
   */
  public static Question lineOfFire(End from, End to) {
    var asked = LineOfFireQuestion.newBuilder().setFrom(from).setTo(to);
    asked.setAttack(AttackKind.ATTACK_KIND_DIRECT);
    return Question.newBuilder().setLineOfFire(asked).build();
  }

  /**
   * What does it cost to enter an adjacent hex, and may it be done?
   *
   * @param mover what moves
   * @param fromHex the hex that is left
   * @param toHex the hex that is entered
   * @return the question
   */
  public static Question step(Mover mover, String fromHex, String toHex) {
    var entry = Entry.newBuilder().setFromHex(fromHex).setToHex(toHex);
    var asked = MovementQuestion.newBuilder().setMover(mover).setEntry(entry);
    return Question.newBuilder().setMovement(asked).build();
  }

  /**
   * Does the Fire Lane of a machine gun attack who moves in a hex?
   *
   * @param mg the machine gun
   * @param counterHex the hex of the Fire Lane counter; empty means the lane that the machine gun
   *     has on the map
   * @param moverHex the hex in which the unit moves
   * @param mover what moves
   * @return the question
   */
  public static Question fireLane(End mg, String counterHex, String moverHex, LaneMover mover) {
    var asked = FireLaneQuestion.newBuilder().setMg(mg).setCounterHex(counterHex);
    asked.setMoverHex(moverHex).setMover(mover);
    return Question.newBuilder().setFireLane(asked).build();
  }
}
