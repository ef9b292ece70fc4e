package org.alamein.client;

import java.util.Optional;
import org.alamein.v1.Ruling;

/**
 * The answer to one question of several: a ruling, or an error of this question alone.
 *
 * @param tag the question's own mark
 * @param found the ruling, if there is one
 * @param error why there is none; the paths of its fields begin at the question: {@code
 *     line_of_sight.from.hex}
 */
public record Answer(String tag, Optional<Ruling> found, Optional<AlameinException> error) {
  /**
   * The ruling.
   *
   * @return the ruling
   * @throws AlameinException if there is none
   */
  public Ruling ruling() {
    return found.orElseThrow(error::orElseThrow);
  }
}
