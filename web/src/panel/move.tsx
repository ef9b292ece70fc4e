import {
  CounterClass,
  GroundPressure,
  MovementUnit,
  type PricedPath,
  type Reach,
} from "@alamein/client";
import type { Asked } from "../asked.js";
import { type Step as PathStep, stepsOf, turned } from "../path.js";
import { classOf } from "../requests.js";
import { counterOf, type Mover, type State } from "../state.js";
import { listed, placeOf, ruleOf, signed, spoken } from "../words.js";
import { Choice, Field, Switch, Trouble } from "./fields.js";
import type { Change } from "./rules.js";
import { type Lights, pointing, Rule, Section } from "./ruling.js";

const { WRECK, UNSPECIFIED } = CounterClass;

/** The classes of counters, in words. */
export const CLASSES: readonly (readonly [CounterClass, string])[] = Object.entries(CounterClass)
  .filter(([, value]) => typeof value === "number" && value !== UNSPECIFIED)
  .map(([name, value]) => [value as CounterClass, spoken(name.toLowerCase())]);

const PRESSURES: readonly (readonly [GroundPressure, string])[] = [
  [GroundPressure.UNSPECIFIED, "none, or unknown"],
  [GroundPressure.LOW, "low"],
  [GroundPressure.NORMAL, "normal"],
  [GroundPressure.HIGH, "high"],
];

/** What moves, along which path, and what that costs. */
export function MovePanel(props: {
  state: State;
  change: Change;
  price: Asked<PricedPath>;
  other: Asked<PricedPath> | undefined;
  reach: Asked<Reach>;
  light: Lights["light"];
}) {
  const { state, change, price, other, reach, light } = props;
  const { mover, path, position } = state;
  const set = (part: Partial<Mover>) => change({ mover: { ...mover, ...part } });
  const movers = position.counters.filter((counter) => counter.class !== WRECK);
  const named = counterOf(position, mover.counter);
  return (
    <>
      <div class="row">
        <Choice
          label="Mover"
          value={mover.counter}
          options={[
            ["", "a unit of this class"],
            ...movers.map(({ id, hex }): [string, string] => [id, `${id} in ${hex}`]),
          ]}
          set={(counter) => {
            const at = counterOf(position, counter)?.hex;
            change({ mover: { ...mover, counter }, ...(at !== undefined && { path: [at] }) });
          }}
        />
        {!named && (
          <Choice
            label="Class"
            value={mover.class}
            options={CLASSES.filter(([one]) => one !== WRECK)}
            set={(one) => set({ class: one })}
          />
        )}
      </div>
      <div class="row">
        <Field label="Allowance (MF or MP)">
          {(id) => (
            <input
              id={id}
              type="number"
              min="0"
              max="99"
              value={mover.allowance ?? ""}
              onInput={(event) => {
                const { value } = event.currentTarget;
                const number = Number(value);
                const fits = value !== "" && Number.isInteger(number) && number >= 0;
                set({ allowance: fits ? Math.min(number, 65_535) : undefined });
              }}
            />
          )}
        </Field>
        {hasPressure(classOf(state)) && (
          <Choice
            label="Ground Pressure"
            value={mover.pressure}
            options={PRESSURES}
            set={(pressure) => set({ pressure })}
          />
        )}
      </div>
      <div class="row buttons">
        <button
          type="button"
          disabled={path.length < 2}
          onClick={() => change({ path: path.slice(0, -1) })}
        >
          Take a step back
        </button>
        <button type="button" disabled={path.length === 0} onClick={() => change({ path: [] })}>
          Clear the path
        </button>
        {hasVca(classOf(state)) && (
          <button
            type="button"
            disabled={path.length === 0}
            title="Changes its VCA by a hexside more, where the path ends now"
            onClick={() => change({ path: turned(path) })}
          >
            Turn a hexside
          </button>
        )}
        <Switch label="Shade what it reaches" on={state.reach} set={(reach) => change({ reach })} />
      </div>
      {state.reach && reach.error && <Trouble error={reach.error} />}
      {state.reach && reach.value && <Reached reach={reach.value} busy={reach.busy} />}
      {path.length < 2 ? (
        <p class="hint">
          {path.length === 0
            ? "Click where the move begins: a counter, or a hex."
            : `From ${path[0]}: click hexes to go on. A hex further off is reached the straight way.`}
        </p>
      ) : (
        <div class={other ? "pair" : "single"}>
          <Price
            name={other ? "A" : undefined}
            asked={price}
            other={other?.value}
            state={state}
            light={light}
          />
          {other && (
            <Price name="B" asked={other} other={price.value} state={state} light={light} />
          )}
        </div>
      )}
    </>
  );
}

function hasPressure(of: CounterClass): boolean {
  return of >= CounterClass.MOTORCYCLE && of !== WRECK;
}

/** Whether a class has a VCA to change: vehicles, but for motorcycles. */
function hasVca(of: CounterClass): boolean {
  return of >= CounterClass.ARMORED_CAR && of !== WRECK;
}

function unitOf(unit: MovementUnit): string {
  return unit === MovementUnit.UNSPECIFIED ? "" : MovementUnit[unit];
}

function Reached({ reach, busy }: { reach: Reach; busy: boolean }) {
  return (
    <p class={busy ? "fine busy" : "fine"} aria-live="polite">
      It reaches {reach.hexes.length - 1} hexes beside its own.
      {reach.unknown.length > 0 && ` Of ${reach.unknown.length} steps the cost is not known.`}
    </p>
  );
}

function Price(
  props: {
    name: string | undefined;
    asked: Asked<PricedPath>;
    other: PricedPath | undefined;
    state: State;
  } & Lights,
) {
  const { name, asked, other, state, light } = props;
  const price = asked.value;
  // Steps of a path that has been changed meanwhile are another path's.
  const steps = stepsOf(state.path);
  const fits = price && price.steps.length === steps.length;
  return (
    <section class={asked.busy ? "busy" : undefined} aria-busy={asked.busy}>
      {name !== undefined && <h2 class="side">Ruleset {name}</h2>}
      {asked.error && <Trouble error={asked.error} />}
      {fits && <Steps price={price} other={other} steps={steps} light={light} />}
    </section>
  );
}

function Steps(
  props: { price: PricedPath; other: PricedPath | undefined; steps: readonly PathStep[] } & Lights,
) {
  const { price, other, steps, light } = props;
  const unit = unitOf(price.unit);
  const barred = price.prohibited.length > 0;
  const over = price.exceedsAtStep !== undefined;
  return (
    <article class={`ruling ${barred ? "blocked" : over ? "hindered" : "clear"}`}>
      <header aria-live="polite">
        <h3>
          {price.total === undefined ? "The cost is not known" : `${price.total} ${unit}`}
          {barred ? <small> and prohibited</small> : over && <small> more than it has</small>}
        </h3>
        {other && other.total !== price.total && <p class="differs">≠ differs in the total</p>}
        {other && other.total === price.total && <p class="same">= the same total</p>}
      </header>
      <ol class="steps">
        {price.steps.map((step, at) => (
          <Step
            key={at}
            of={steps[at]}
            step={step}
            unit={unit}
            over={price.exceedsAtStep === at}
            differs={other !== undefined && other.steps[at]?.totalAfter !== step.totalAfter}
            light={light}
          />
        ))}
      </ol>
      {price.checks.length > 0 && (
        <Section title="Checks that are owed" count={price.checks.length} open>
          <ul class="grounds">
            {price.checks.map(({ step, check }, at) => (
              <li key={at} {...pointing(check?.where, light)}>
                <Rule rule={check?.rule} plugin={check?.pluginId ?? ""} />
                <span class="effect">{spoken(check?.what ?? "")}</span>
                <p>
                  Step {step + 1}, {placeOf(check?.where)}: {check?.times} DR
                  {check?.drm !== undefined && ` ${signed(check.drm)}`}, fails at{" "}
                  {check?.failsAtFinalDr} or more
                  {check &&
                    check.modifiers.length > 0 &&
                    ` (${check.modifiers.map((one) => `${spoken(one.what)} ${signed(one.drm)}`).join(", ")})`}
                  .
                </p>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <footer>
        <span title={price.rulesFingerprint}>rules {price.rulesFingerprint.slice(0, 12)}</span>
      </footer>
    </article>
  );
}

function Step(
  props: {
    of: PathStep | undefined;
    step: PricedPath["steps"][number];
    unit: string;
    over: boolean;
    differs: boolean;
  } & Lights,
) {
  const { of, step, unit, over, differs, light } = props;
  const to = !of ? "" : "turn" in of ? of.hex : of.to;
  const name = !of
    ? ""
    : "turn" in of
      ? `Turn by ${of.turn} in ${of.hex}`
      : `${of.from} → ${of.to}`;
  const place = {
    $typeName: "alamein.v1.Place" as const,
    place: { case: "hex" as const, value: to },
  };
  if (step.answer.case !== "ruling") {
    const missing = step.answer.value;
    return (
      <li {...pointing(place, light)}>
        <b>{name}</b>
        <p class="aside">
          Rule {ruleOf(missing?.rule)} decides, and is not implemented: {missing?.message?.text}
        </p>
      </li>
    );
  }
  const ruling = step.answer.value;
  const verdict = ruling.verdict?.verdict;
  const move = verdict?.case === "movement" ? verdict.value : undefined;
  return (
    <li class={differs ? "differs" : undefined} {...pointing(place, light)}>
      <b>{name}</b>
      <span class="effect">
        {step.vcaChangeNotJudged
          ? "not judged"
          : move?.total === undefined
            ? "?"
            : `${move.total} ${unit}`}
        {step.totalAfter !== undefined && ` (${step.totalAfter} in all)`}
      </span>
      {step.vcaChangeNotJudged && (
        <p class="aside">No rule here says what a change of VCA costs.</p>
      )}
      {over && <span class="over">more than it has</span>}
      {move?.prohibited && (
        <p class="aside">
          prohibited by {listed(move.prohibitedBy.map(({ rule }) => ruleOf(rule)))}
        </p>
      )}
      <ul class="items">
        {move?.items.map((item) => (
          <li key={`${item.pluginId} ${item.rule?.id} ${item.what}`}>
            <Rule rule={item.rule} plugin={item.pluginId} /> {item.rule?.title}{" "}
            <b>{signed(item.amount)}</b>
          </li>
        ))}
      </ul>
    </li>
  );
}
