import type { Point } from "../geometry.js";

/** What of the picture is seen. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** How near and how far one can look, in hexes' widths across the window. */
const NEAREST = 150;
const FURTHEST = 1.6;

/** The box around some points, with room about it. */
export function around(points: readonly Point[], room: number): Box | undefined {
  if (points.length === 0) return undefined;
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [left, top] = [Math.min(...xs) - room, Math.min(...ys) - room];
  return {
    x: left,
    y: top,
    width: Math.max(...xs) + room - left,
    height: Math.max(...ys) + room - top,
  };
}

/** A box of the window's shape that holds another. */
export function shaped(box: Box, window: { width: number; height: number }): Box {
  const shape = window.width / Math.max(1, window.height);
  const width = Math.max(box.width, box.height * shape);
  const height = width / shape;
  return {
    x: box.x - (width - box.width) / 2,
    y: box.y - (height - box.height) / 2,
    width,
    height,
  };
}

/** The box moved so that it shows no more than the picture, as far as it fits into that. */
export function within(box: Box, whole: Box): Box {
  const inside = (at: number, size: number, least: number, all: number) =>
    size >= all ? least - (size - all) / 2 : Math.min(least + all - size, Math.max(least, at));
  return {
    ...box,
    x: inside(box.x, box.width, whole.x, whole.width),
    y: inside(box.y, box.height, whole.y, whole.height),
  };
}

/** The box from nearer or further, about a point that stays where it is. */
export function zoomed(box: Box, factor: number, about: Point, whole: Box): Box {
  const most = Math.max(whole.width, whole.height) * FURTHEST;
  const width = Math.min(most, Math.max(NEAREST, box.width * factor));
  const by = width / box.width;
  return {
    x: about.x - (about.x - box.x) * by,
    y: about.y - (about.y - box.y) * by,
    width,
    height: box.height * by,
  };
}

/** The box moved, so that some of the picture stays in sight. */
export function panned(box: Box, dx: number, dy: number, whole: Box): Box {
  const near = (at: number, size: number, least: number, all: number) =>
    Math.min(least + all - size * 0.2, Math.max(least - size * 0.8, at));
  return {
    ...box,
    x: near(box.x + dx, box.width, whole.x, whole.width),
    y: near(box.y + dy, box.height, whole.y, whole.height),
  };
}

/** The box moved as little as brings a point well into sight. */
export function showing(box: Box, point: Point, room: number): Box {
  const shift = (at: number, from: number, size: number) => {
    const edge = Math.min(room, size / 2);
    if (at < from + edge) return at - from - edge;
    return at > from + size - edge ? at - from - size + edge : 0;
  };
  return {
    ...box,
    x: box.x + shift(point.x, box.x, box.width),
    y: box.y + shift(point.y, box.y, box.height),
  };
}
