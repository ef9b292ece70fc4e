/**
 * Paths, as they are kept and written in links: hexes, the first of them where the move begins, and
 * between them turns of a vehicle's VCA such as `~2`, by two hexsides in the hex before.
 */

/** A step of a path: into another hex, or a change of VCA. */
export type Step =
  | { readonly from: string; readonly to: string }
  | { readonly hex: string; readonly turn: number };

/** The most hexsides that a vehicle turns by at once. */
const MOST_TURNED = 5;

/** The steps of a path. */
export function stepsOf(path: readonly string[]): Step[] {
  const steps: Step[] = [];
  let at: string | undefined;
  for (const word of path) {
    const turn = turnOf(word);
    if (at !== undefined) steps.push(turn > 0 ? { hex: at, turn } : { from: at, to: word });
    if (turn === 0) at = word;
  }
  return steps;
}

/** The hex in which a path ends. */
export function endOfPath(path: readonly string[]): string | undefined {
  return path.findLast((word) => turnOf(word) === 0);
}

/** A path with a turn by another hexside at its end. */
export function turned(path: readonly string[]): string[] {
  const turn = turnOf(path.at(-1) ?? "");
  const before = turn > 0 ? path.slice(0, -1) : path;
  return [...before, `~${Math.min(turn + 1, MOST_TURNED)}`];
}

/** By how many hexsides a word turns; 0 if it is a hex. */
function turnOf(word: string): number {
  return /^~[1-5]$/.test(word) ? Number(word.slice(1)) : 0;
}
