package org.alamein.client;

import org.alamein.v1.View;

/**
 * How to ask: by which rules, for which side, and how much of the ruling to give.
 *
 * @param view how much of the ruling to give; unspecified gives all findings
 * @param ruleset the name, a tag or the fingerprint of the rules to judge by; empty means {@code
 *     default}
 * @param rulesFingerprint what the rules must be, such as those of a game; empty if it is all the
 *     same
 * @param asSide the side that asks; empty means that all is told
 */
public record Ask(View view, String ruleset, String rulesFingerprint, String asSide) {
  /** Asks for all findings by the service's usual rules, and is told everything. */
  public static final Ask DEFAULT = new Ask(View.VIEW_UNSPECIFIED, "", "", "");

  /**
   * The same, but for so much of the ruling.
   *
   * @param view how much
   * @return how to ask
   */
  public Ask withView(View view) {
    return new Ask(view, ruleset, rulesFingerprint, asSide);
  }

  /**
   * The same, but by this ruleset.
   *
   * @param ruleset its name, a tag or its fingerprint
   * @return how to ask
   */
  public Ask withRuleset(String ruleset) {
    return new Ask(view, ruleset, rulesFingerprint, asSide);
  }

  /**
   * The same, but by these rules and no others.
   *
   * @param fingerprint their fingerprint
   * @return how to ask
   */
  public Ask withRulesFingerprint(String fingerprint) {
    return new Ask(view, ruleset, fingerprint, asSide);
  }

  /**
   * The same, but for this side.
   *
   * @param side the side
   * @return how to ask
   */
  public Ask withSide(String side) {
    return new Ask(view, ruleset, rulesFingerprint, side);
  }
}
