import {
  isSeen,
  LineOfSightResult,
  type PricedPath,
  type Reach,
  type Ruling,
  type Seen,
  Sight,
} from "@alamein/client";
import { aim, centre, ends, type Grid, hexOf, meet, outline, type Point } from "../geometry.js";
import { stepsOf } from "../path.js";

/** Where the page draws: the grid, and the centre of hex A1. */
export interface Ground {
  readonly grid: Grid;
  readonly origin: Point;
}

function middleOf(name: string, { grid, origin }: Ground): Point | undefined {
  const hex = hexOf(name, grid);
  return hex && centre(hex, origin);
}

/** The outlines of hexes, as one path. */
function outlines(names: Iterable<string>, ground: Ground, factor = 1): string {
  let path = "";
  for (const name of names) {
    const at = middleOf(name, ground);
    if (at) path += outline(at, factor);
  }
  return path;
}

/** The line of a ruling: the hexes that it touches, what it crosses, runs along and runs through. */
export function Line({
  ruling,
  ground,
  faint,
}: {
  ruling: Ruling;
  ground: Ground;
  faint: boolean;
}) {
  const { trace } = ruling;
  const [first] = trace?.hexes ?? [];
  const last = trace?.hexes.at(-1);
  const [from, to] = [first, last].map((name) => {
    const hex = name === undefined ? undefined : hexOf(name, ground.grid);
    return hex && aim(hex, ground.origin);
  });
  if (!trace || !from || !to) return null;
  const side = (name: string) => ends(name, ground.grid, ground.origin);
  const crossings = new Set(
    trace.readings.flatMap(({ crossings }) => crossings.map((c) => c.hexside)),
  );
  const run = `M${from.x} ${from.y}L${to.x} ${to.y}`;
  const blocked = lineResult(ruling) === LineOfSightResult.BLOCKED;
  return (
    <g class={`line${faint ? " faint" : ""}${blocked ? " blocked" : ""}`}>
      <path class="touched" d={outlines(trace.hexes, ground, 0.92)} />
      {trace.along.map((name) => {
        const at = side(name);
        return at && <path class="along" d={`M${at[0].x} ${at[0].y}L${at[1].x} ${at[1].y}`} />;
      })}
      <path class="edge" d={run} />
      <path class="run" d={run} />
      {[...crossings].map((name) => {
        const at = side(name);
        if (!at || trace.along.includes(name)) return null;
        const { x, y } = meet([from, to], at);
        return <circle class="crossing" cx={x} cy={y} r="2.6" />;
      })}
      {trace.vertices.map((name) => {
        const hexes = name.split("/").map((hex) => middleOf(hex, ground));
        const there = hexes.filter((hex) => hex !== undefined);
        if (there.length < 3) return null;
        const x = there.reduce((sum, at) => sum + at.x, 0) / 3;
        const y = there.reduce((sum, at) => sum + at.y, 0) / 3;
        return <path class="vertex" d={`M${x} ${y - 4.4}l4.4 4.4-4.4 4.4-4.4-4.4z`} />;
      })}
      <circle class="end" cx={from.x} cy={from.y} r="3.4" />
      <circle class="end target" cx={to.x} cy={to.y} r="3.4" />
    </g>
  );
}

function lineResult(ruling: Ruling): LineOfSightResult | undefined {
  const verdict = ruling.verdict?.verdict;
  if (verdict?.case === "lineOfSight") return verdict.value.result;
  return verdict?.case === "lineOfFire" ? verdict.value.line?.result : undefined;
}

/** The hexes of the ends that are picked. */
export function Picked({ from, to, ground }: { from?: string; to?: string; ground: Ground }) {
  return (
    <>
      {from !== undefined && <path class="picked from" d={outlines([from], ground, 0.97)} />}
      {to !== undefined && <path class="picked to" d={outlines([to], ground, 0.97)} />}
    </>
  );
}

/** A place that is pointed at in the panel. */
export function Lit({ place, ground }: { place: string; ground: Ground }) {
  const side = place.includes("|") ? ends(place, ground.grid, ground.origin) : undefined;
  if (side) {
    const [one, other] = side;
    return <path class="lit side" d={`M${one.x} ${one.y}L${other.x} ${other.y}`} />;
  }
  return <path class="lit" d={outlines([place], ground)} />;
}

/** What is seen from a hex; where two rulesets differ, that too. */
export function View(props: {
  seen: ReadonlyMap<string, Seen>;
  other: ReadonlyMap<string, Seen> | undefined;
  ground: Ground;
}) {
  const { seen, other, ground } = props;
  const blocked: string[] = [];
  const hindered: [string, number][] = [];
  const differing: string[] = [];
  for (const [hex, here] of seen) {
    const { sight, hindrance } = here;
    if (!isSeen(here) && sight !== Sight.NOT_IMPLEMENTED) blocked.push(hex);
    if (sight === Sight.HINDERED) hindered.push([hex, hindrance ?? 0]);
    const there = other?.get(hex);
    if (there && (there.sight !== sight || there.hindrance !== hindrance)) differing.push(hex);
  }
  return (
    <g class="view">
      <pattern id="unseen-hatch" width="6" height="6" patternUnits="userSpaceOnUse">
        <path d="M-1 1l2-2M0 6l6-6M5 7l2-2" />
      </pattern>
      <path class="blocked" d={outlines(blocked, ground)} />
      <path class="hatch" d={outlines(blocked, ground)} fill="url(#unseen-hatch)" />
      <path
        class="hindered"
        d={outlines(
          hindered.map(([hex]) => hex),
          ground,
          0.9,
        )}
      />
      {differing.length > 0 && <path class="differing" d={outlines(differing, ground, 0.86)} />}
    </g>
  );
}

/** The DRM of what hinders, over the counters. */
export function Hindrances({ seen, ground }: { seen: ReadonlyMap<string, Seen>; ground: Ground }) {
  return (
    <g class="view">
      {[...seen].map(([hex, { sight, hindrance }]) => {
        const at = sight === Sight.HINDERED ? middleOf(hex, ground) : undefined;
        if (!at) return null;
        return (
          <text key={hex} x={at.x} y={at.y + 22}>
            +{hindrance}
          </text>
        );
      })}
    </g>
  );
}

/** The hexes that an allowance reaches. */
export function Reached({ reach, ground }: { reach: Reach; ground: Ground }) {
  const hexes = reach.hexes.map(({ hex }) => hex);
  return (
    <g class="reach">
      <path d={outlines(hexes, ground, 0.96)} />
    </g>
  );
}

/** What each of these hexes costs, over the counters. */
export function Costs({ reach, ground }: { reach: Reach; ground: Ground }) {
  return (
    <g class="reach">
      {reach.hexes.map(({ hex, cost }) => {
        const at = cost === 0 ? undefined : middleOf(hex, ground);
        return (
          at && (
            <text key={hex} x={at.x} y={at.y + 22}>
              {cost}
            </text>
          )
        );
      })}
    </g>
  );
}

/** A path, with what it has cost after each step. */
export function Path(props: {
  path: readonly string[];
  price: PricedPath | undefined;
  ground: Ground;
}) {
  const { path, price, ground } = props;
  const [first = ""] = path;
  const start = middleOf(first, ground);
  if (!start) return null;
  const steps = stepsOf(path).map((step) => {
    if ("turn" in step) return { at: middleOf(step.hex, ground), turn: step.turn };
    return { at: middleOf(step.to, ground), turn: 0 };
  });
  const course = [start, ...steps.map(({ at }) => at).filter((at) => at !== undefined)];
  const run = `M${course.map(({ x, y }) => `${x} ${y}`).join("L")}`;
  const barred = new Set(price?.prohibited.map(({ step }) => step));
  const most = price?.exceedsAtStep;
  return (
    <g class="path">
      <path class="edge" d={run} />
      <path class="run" d={run} />
      <circle class="start" cx={start.x} cy={start.y} r="5" />
      {steps.map(({ at, turn }, step) => {
        if (!at) return null;
        const total = price?.steps[step]?.totalAfter;
        const beyond = most !== undefined && step >= most;
        const kind = barred.has(step) ? "barred" : beyond ? "beyond" : "";
        // A turn is told beside the hex's own number.
        const by = turn > 0 ? "translate(15 13) scale(0.8)" : "";
        return (
          <g key={step} class={`step ${kind}`} transform={`translate(${at.x} ${at.y}) ${by}`}>
            <circle r="8.5" />
            <text y="3.4">{barred.has(step) ? "✕" : (total ?? "?")}</text>
          </g>
        );
      })}
    </g>
  );
}
