import type { Point } from "./geometry.js";

/**
 * The service's picture of a map, in the parts between which the page draws its own: the ground below,
 * the names of hexes, and the counters with all that comes after them. The service alone knows how
 * terrain and counters look.
 */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** The centre of hex A1. */
  readonly origin: Point;
  readonly ground: SVGElement[];
  readonly names: SVGElement[];
  readonly counters: SVGElement[];
  /** What is under the map: what its signs mean. */
  readonly legend: SVGElement[];
  /** The picture in words, for those who do not see it. */
  readonly words: string;
}

/** Takes a picture apart. Throws where it is none that this page understands. */
export function dissect(svg: string): Picture {
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const first = root.querySelector("[data-hex]");
  // The outline begins at the corner to the east.
  const at = /^M(-?[\d.]+) (-?[\d.]+)/.exec(first?.getAttribute("d") ?? "");
  if (!first || !at) throw new TypeError("the service's picture has no hexes");
  const origin = { x: Number(at[1]) - 30, y: Number(at[2]) };
  merge(root);
  const [, , width = 0, height = 0] = (root.getAttribute("viewBox") ?? "").split(" ").map(Number);
  return { width, height, origin, ...split(root) };
}

/** How many hexes are drawn each for itself. */
const EACH = 2500;

/** Of a large map the bare hexes of a colour become one path: browsers draw that much faster. */
function merge(root: Element): void {
  const hexes = root.querySelectorAll<SVGElement>("[data-hex]");
  if (hexes.length <= EACH) return;
  const paths = new Map<string, string[]>();
  const firsts = new Map<string, SVGElement>();
  for (const hex of hexes) {
    const fill = hex.getAttribute("fill") ?? "";
    const path = paths.get(fill) ?? [];
    path.push(hex.getAttribute("d") ?? "");
    paths.set(fill, path);
    if (firsts.has(fill)) hex.remove();
    else firsts.set(fill, hex);
  }
  for (const [fill, first] of firsts) {
    first.removeAttribute("data-hex");
    first.setAttribute("d", paths.get(fill)?.join("") ?? "");
  }
}

/** The words of a picture, and its parts in the order in which they are drawn. */
function split(root: Element) {
  const ground: SVGElement[] = [];
  const names: SVGElement[] = [];
  const counters: SVGElement[] = [];
  const legend: SVGElement[] = [];
  let words = "";
  let into = ground;
  for (const child of [...root.children] as SVGElement[]) {
    if (child.tagName === "title") continue;
    if (child.tagName === "desc") {
      words = child.textContent ?? "";
      continue;
    }
    const isGroup = child.tagName === "g" && child.getAttribute("text-anchor") === "middle";
    // Names are written with an edge around; counters are the next such group.
    if (into === ground && isGroup && child.getAttribute("paint-order") === "stroke") {
      names.push(child);
      into = counters;
    } else if (into === counters && isGroup) {
      counters.push(child);
      into = legend;
    } else {
      into.push(child);
    }
  }
  return { words, ground, names, counters, legend };
}
