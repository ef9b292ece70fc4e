import {
  type Finding,
  GrazingPolicy,
  type LineReading,
  type Observation,
  ObservationKind,
  type Place,
  type RuleRef,
  type Ruling,
  type SetAside,
} from "@alamein/client";
import {
  effectOf,
  figures,
  gist,
  headline,
  kindOf,
  listed,
  POLICIES,
  placeOf,
  ruleOf,
} from "../words.js";

/** What the parts of a ruling tell the map to light up. */
export interface Lights {
  light(place: string | undefined): void;
}

/** A ruling with its grounds. What another ruling does not say is marked. */
export function RulingCard(props: { ruling: Ruling; other?: Ruling | undefined } & Lights) {
  const { ruling, other, light } = props;
  const { tone, title, by } = headline(ruling);
  const theirs = other && gists(other);
  const differs = (of: Parameters<typeof gist>[0]) => theirs !== undefined && !theirs.has(gist(of));
  const hindrances = along(ruling, ObservationKind.HINDRANCE);
  const rest = ruling.observations.filter(({ kind }) => kind !== ObservationKind.HINDRANCE);
  return (
    <article class={`ruling ${tone}`}>
      <header aria-live="polite">
        <h3>
          {title}
          {by !== "" && <small> by {by}</small>}
        </h3>
        <dl class="figures">
          {figures(ruling).map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <Differences ruling={ruling} other={other} />
      </header>
      <Grazing ruling={ruling} />
      {ruling.contestedOptions.map((option) => (
        <p class="note" key={`${option.pluginId} ${option.option}`}>
          <Rule rule={option.rule} plugin={option.pluginId} /> Players read this rule in more than
          one way: {option.message?.text} Here <code>{option.option}</code> is{" "}
          <code>{option.valueJson}</code>.
        </p>
      ))}
      {ruling.ignoredLayers.map(({ layer, met }) => (
        <p class="note" key={layer}>
          No plugin of this ruleset knows the layer <b>{layer}</b>
          {met
            ? ", and the line meets it: the ruling may be incomplete."
            : "; the line does not meet it."}
        </p>
      ))}
      <Section title="Findings" count={ruling.findings.length} open>
        <ul class="grounds">
          {ruling.findings.map((finding, at) => (
            <FindingRow
              key={at}
              finding={finding}
              observations={ruling.observations}
              differs={differs(finding)}
              light={light}
            />
          ))}
        </ul>
        {ruling.findings.length === 0 && (
          <p class="none">No rule has anything to say of this line.</p>
        )}
      </Section>
      <Section
        title="Hindrances along the way"
        count={hindrances.length}
        open={hindrances.length > 0}
      >
        <ol class="grounds">
          {hindrances.map((observation, at) => (
            <ObservationRow
              key={at}
              observation={observation}
              differs={differs(observation)}
              light={light}
            />
          ))}
        </ol>
        {hindrances.length === 0 && <p class="none">Nothing hinders.</p>}
      </Section>
      <Crossings ruling={ruling} light={light} />
      {rest.length > 0 && (
        <Section title="Also seen on the line" count={rest.length}>
          <ul class="grounds">
            {rest.map((observation, at) => (
              <ObservationRow
                key={at}
                observation={observation}
                differs={differs(observation)}
                light={light}
              />
            ))}
          </ul>
        </Section>
      )}
      {ruling.considered.length > 0 && (
        <Section title="Considered, and why it does not apply" count={ruling.considered.length}>
          <ul class="grounds">
            {ruling.considered.map((one, at) => (
              <li
                key={at}
                class={differs(one) ? "differs" : undefined}
                {...pointing(one.where, light)}
              >
                <Rule rule={one.rule} plugin={one.pluginId} />
                <Where place={one.where} light={light} />
                <p>{one.why?.text}</p>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <footer>
        <span title={ruling.rulingId}>ruling {ruling.rulingId.slice(0, 12)}</span>
        <span title={ruling.rulesFingerprint}>rules {ruling.rulesFingerprint.slice(0, 12)}</span>
      </footer>
    </article>
  );
}

/** Everything that a ruling says, for another to be compared with. */
function gists(ruling: Ruling): Set<string> {
  const all = [...ruling.findings, ...ruling.observations, ...ruling.considered];
  return new Set(all.map(gist));
}

/** In what two rulings differ, in a sentence. */
function Differences({ ruling, other }: { ruling: Ruling; other: Ruling | undefined }) {
  if (!other) return null;
  const one = new Map(figures(ruling).map(({ label, value }) => [label, value]));
  const two = new Map(figures(other).map(({ label, value }) => [label, value]));
  const labels = [...new Set([...one.keys(), ...two.keys()])];
  const differing = labels.filter((label) => one.get(label) !== two.get(label));
  if (headline(ruling).title !== headline(other).title) differing.unshift("the line of sight");
  if (differing.length > 0) return <p class="differs">≠ differs in {listed(differing)}</p>;
  const grounds = [...gists(ruling)].some((gist) => !gists(other).has(gist));
  return <p class="same">{grounds ? "≈ the same verdict, on other grounds" : "= the same"}</p>;
}

/** How a line that grazes is read, and what other readings give. */
function Grazing({ ruling }: { ruling: Ruling }) {
  if (!ruling.trace?.grazing) return null;
  const others = ruling.otherPolicies.filter(({ differs, ruling }) => differs && ruling);
  return (
    <p class="note">
      The line grazes: it runs along a hexside or through a vertex. It is read by{" "}
      <b>{POLICIES[ruling.grazingPolicy]}</b>
      {ruling.policyOverridden ? ", as you chose" : ""}.{" "}
      {others.length === 0
        ? "Every way to read it gives the same."
        : others.map(({ policy, ruling }) => (
            <span key={policy}>
              By <b>{POLICIES[policy]}</b>: {ruling && briefly(ruling)}.{" "}
            </span>
          ))}
    </p>
  );
}

function briefly(ruling: Ruling): string {
  const said = figures(ruling).filter(({ label }) => label !== "range");
  return [headline(ruling).title, ...said.map(({ label, value }) => `${label} ${value}`)].join(
    ", ",
  );
}

/** The observations of a kind, in the order in which the line meets them. */
function along(ruling: Ruling, kind: ObservationKind): Observation[] {
  const hexes = ruling.trace?.hexes ?? [];
  const at = ({ where }: Observation) => {
    const [first = ""] = placeOf(where).split("|");
    const index = hexes.indexOf(first);
    return index < 0 ? hexes.length : index;
  };
  return ruling.observations
    .filter((observation) => observation.kind === kind)
    .sort((one, other) => at(one) - at(other));
}

export function Section(props: {
  title: string;
  count?: number;
  open?: boolean;
  children: preact.ComponentChildren;
}) {
  return (
    <details open={props.open ?? false}>
      <summary>
        {props.title}
        {props.count !== undefined && <span class="count">{props.count}</span>}
      </summary>
      {props.children}
    </details>
  );
}

export function Rule({ rule, plugin }: { rule: RuleRef | undefined; plugin: string }) {
  return (
    <span class="rule" title={`${rule?.title ?? ""} (plugin ${plugin})`}>
      {ruleOf(rule)}
      <span class="unseen">, {rule?.title}</span>
    </span>
  );
}

/** A place that the map lights up. */
export function Where({ place, light }: { place: Place | undefined } & Lights) {
  const name = placeOf(place);
  if (name === "") return null;
  return (
    <button
      type="button"
      class="where"
      aria-label={`Show ${name} on the map`}
      onFocus={() => light(name)}
      onBlur={() => light(undefined)}
      onClick={() => light(name)}
    >
      {name}
    </button>
  );
}

/** What lights a place up while one points at what is said of it. */
export function pointing(place: Place | undefined, light: Lights["light"]) {
  const name = placeOf(place);
  if (name === "") return {};
  return { onPointerEnter: () => light(name), onPointerLeave: () => light(undefined) };
}

function FindingRow(
  props: { finding: Finding; observations: readonly Observation[]; differs: boolean } & Lights,
) {
  const { finding, observations, differs, light } = props;
  const fallen = finding.cites.flatMap((at) => observations[at]?.setAsideBy ?? []);
  const by = finding.replacedBy ? [finding.replacedBy] : fallen;
  return (
    <li
      class={`${finding.standing ? "" : "fallen"}${differs ? " differs" : ""}`}
      {...pointing(finding.where, light)}
    >
      <Rule rule={finding.rule} plugin={finding.pluginId} />
      <span class="effect">{effectOf(finding)}</span>
      <Where place={finding.where} light={light} />
      <p>{finding.message?.text}</p>
      {!finding.standing && <Aside by={by} what={finding.replacedBy ? "replaced" : "set aside"} />}
    </li>
  );
}

function ObservationRow(props: { observation: Observation; differs: boolean } & Lights) {
  const { observation, differs, light } = props;
  return (
    <li
      class={`${observation.standing ? "" : "fallen"}${differs ? " differs" : ""}`}
      {...pointing(observation.where, light)}
    >
      <Rule rule={observation.rule} plugin={observation.pluginId} />
      <span class="effect">{kindOf(observation)}</span>
      <Where place={observation.where} light={light} />
      <p>
        {observation.message?.text}
        {observation.hypothetical && " (not really there)"}
      </p>
      {!observation.standing && <Aside by={observation.setAsideBy} what="set aside" />}
    </li>
  );
}

/** What set something aside, and by which rule. */
function Aside({ by, what }: { by: readonly SetAside[]; what: string }) {
  if (by.length === 0) return <p class="aside">{what}</p>;
  return (
    <>
      {by.map((one) => (
        <p class="aside" key={`${one.pluginId} ${one.rule?.id}`}>
          {what} by <Rule rule={one.rule} plugin={one.pluginId} /> {one.message?.text}
        </p>
      ))}
    </>
  );
}

/** How the line runs over the map. */
function Crossings({ ruling, light }: { ruling: Ruling } & Lights) {
  const { trace } = ruling;
  if (!trace) return null;
  const names = ["to its left", "to its right"];
  return (
    <Section title="How the line runs" count={trace.hexes.length}>
      <p class="run">
        {trace.hexes.map((hex) => (
          <Where key={hex} place={hexPlace(hex)} light={light} />
        ))}
      </p>
      {trace.along.length > 0 && (
        <p class="run">
          along the hexsides{" "}
          {trace.along.map((side) => (
            <Where key={side} place={sidePlace(side)} light={light} />
          ))}
        </p>
      )}
      {trace.vertices.length > 0 && (
        <p class="run">through the vertices {listed(trace.vertices)}</p>
      )}
      {trace.readings.map((reading, at) => (
        <Reading key={at} reading={reading} light={light}>
          {trace.grazing && trace.readings.length > 1
            ? `crosses, if nudged ${names[at]}`
            : "crosses"}
        </Reading>
      ))}
    </Section>
  );
}

function Reading({
  reading,
  light,
  children,
}: { reading: LineReading; children: string } & Lights) {
  if (reading.crossings.length === 0) return null;
  return (
    <p class="run">
      {children}{" "}
      {reading.crossings.map(({ hexside }) => (
        <Where key={hexside} place={sidePlace(hexside)} light={light} />
      ))}
    </p>
  );
}

function hexPlace(hex: string): Place {
  return { $typeName: "alamein.v1.Place", place: { case: "hex", value: hex } };
}

function sidePlace(side: string): Place {
  return { $typeName: "alamein.v1.Place", place: { case: "hexside", value: side } };
}

/** The grazing policies that one may choose from. */
export const POLICY_CHOICES: readonly (readonly [GrazingPolicy, string])[] = [
  GrazingPolicy.UNSPECIFIED,
  GrazingPolicy.EITHER,
  GrazingPolicy.BOTH,
  GrazingPolicy.NEITHER_IF_GRAZING,
].map((policy) => [policy, POLICIES[policy]]);
