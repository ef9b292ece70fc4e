import { RuleDiffKind, type RuleName, type RulesetDiff } from "@alamein/client";
import type { Asked } from "../asked.js";
import { POLICIES } from "../words.js";
import { Trouble } from "./fields.js";
import { Section } from "./ruling.js";

const KINDS: Record<RuleDiffKind, string> = {
  [RuleDiffKind.UNSPECIFIED]: "differs",
  [RuleDiffKind.ADDED]: "is in B alone",
  [RuleDiffKind.REMOVED]: "is in A alone",
  [RuleDiffKind.CHANGED]: "says something else",
};

/** In what the two rulesets that are compared differ. */
export function Difference({ asked }: { asked: Asked<RulesetDiff> }) {
  if (asked.error) return <Trouble error={asked.error} />;
  if (!asked.value) return null;
  const told = tell(asked.value);
  if (told.length === 0) return <p class="fine">Both are the same rules.</p>;
  return (
    <Section title="How the rulesets differ" count={told.length}>
      <ul class="told">
        {told.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Section>
  );
}

/** A difference of rulesets, a line for each thing. */
function tell(diff: RulesetDiff): string[] {
  const name = (rule: RuleName | undefined) =>
    rule ? `${rule.ruleId} (${rule.pluginId})` : "nothing";
  const graze = diff.grazingPolicy;
  return [
    ...(graze ? [`Grazing lines: A ${POLICIES[graze.before]}, B ${POLICIES[graze.after]}`] : []),
    ...diff.plugins.map(({ pluginId, beforeVersion, afterVersion }) => {
      if (beforeVersion === "") return `The plugin ${pluginId} is in B alone`;
      if (afterVersion === "") return `The plugin ${pluginId} is in A alone`;
      if (beforeVersion === afterVersion) return `The plugin ${pluginId} is another build`;
      return `The plugin ${pluginId}: A ${beforeVersion}, B ${afterVersion}`;
    }),
    ...diff.options.map(
      ({ pluginId, name, beforeJson, afterJson }) =>
        `${pluginId}.${name}: A ${beforeJson || "has none"}, B ${afterJson || "has none"}`,
    ),
    ...diff.rules.map(({ rule, kind }) => `The rule ${name(rule)} ${KINDS[kind]}`),
    ...diff.replacements.map(
      ({ replaced, before, after }) =>
        `${name(replaced)} is replaced: in A by ${name(before)}, in B by ${name(after)}`,
    ),
  ];
}
