import { GrazingPolicy, type RulesetSummary } from "@alamein/client";
import type { ComponentChildren } from "preact";
import { type Rules, type State, USUAL } from "../state.js";
import { Choice, Switch } from "./fields.js";
import { POLICY_CHOICES } from "./ruling.js";

/** What the parts of the panel do to the page. */
export type Change = (part: Partial<State>) => void;

/** The choice of rules, and of others to compare with. */
export function RulesChoice(props: {
  state: State;
  rulesets: readonly RulesetSummary[];
  /** Whether a line is asked about, which may graze. */
  lines: boolean;
  change: Change;
  /** What is to be said of the choice. */
  children: ComponentChildren;
}) {
  const { state, rulesets, change } = props;
  const { rules, versus } = state;
  const names = known(rulesets, [rules, ...(versus ? [versus] : [])]);
  const pair = (which: Rules, label: string, set: (rules: Rules) => void) => (
    <div class="row">
      <Choice
        label={label}
        value={which.ruleset}
        options={names}
        set={(ruleset) => set({ ...which, ruleset })}
      />
      {props.lines && (
        <Choice
          label="Grazing lines"
          value={which.policy}
          options={POLICY_CHOICES}
          set={(policy) => set({ ...which, policy })}
        />
      )}
    </div>
  );
  return (
    <fieldset class="rules">
      <legend class="unseen">Rules</legend>
      {pair(rules, versus ? "Ruleset A" : "Ruleset", (rules) => change({ rules }))}
      {versus && pair(versus, "Ruleset B", (versus) => change({ versus }))}
      <Switch
        label="Compare with other rules"
        on={versus !== undefined}
        set={(on) => change({ versus: on ? other(rules, names) : undefined })}
      />
      {versus && props.children}
    </fieldset>
  );
}

/** The rulesets by all their names and tags, and what a link names beside them. */
function known(rulesets: readonly RulesetSummary[], used: readonly Rules[]): [string, string][] {
  const named = rulesets.flatMap(({ names, tags, title }) =>
    [...names, ...tags].map((name): [string, string] => [
      name === "default" ? "" : name,
      title === "" || title === name ? name : `${name}: ${title}`,
    ]),
  );
  const all = new Map<string, string>([["", "default"], ...named]);
  for (const { ruleset } of used) {
    if (!all.has(ruleset))
      all.set(ruleset, ruleset.length > 20 ? `${ruleset.slice(0, 12)}…` : ruleset);
  }
  return [...all];
}

/** What to compare with first: another ruleset if there is one, else another reading. */
function other(rules: Rules, names: readonly [string, string][]): Rules {
  const another = names.find(([name]) => name !== rules.ruleset);
  return another ? { ...USUAL, ruleset: another[0] } : { ...rules, policy: GrazingPolicy.BOTH };
}
