/** Hexes as they lie on a board: their names, their neighbours, and where they are drawn. */

/** A hex by its place: the column from 0 (A), and the row as it is named. */
export interface Hex {
  readonly column: number;
  readonly row: number;
}

/** The size of a grid: `rows` is that of columns A, C, E... */
export interface Grid {
  readonly columns: number;
  readonly rows: number;
}

/** A point of the picture. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** How far apart the centres of columns and rows are, as the service draws them. */
export const COLUMN = 45;
export const ROW = 52;
const HALF_WIDTH = 30;
const HALF_HEIGHT = ROW / 2;
const LETTERS = 26;

/** The usual board. */
export const BOARD: Grid = { columns: 33, rows: 10 };

/** The directions in which a hex has neighbours, clockwise from the north. */
export const DIRECTIONS = ["N", "NE", "SE", "S", "SW", "NW"] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** The name of a hex, such as `P6` or `GG10`. */
export function nameOf({ column, row }: Hex): string {
  const letter = String.fromCharCode(65 + (column % LETTERS));
  return letter.repeat(Math.floor(column / LETTERS) + 1) + row;
}

/** The hex of a name, if the grid has it. */
export function hexOf(name: string, grid: Grid): Hex | undefined {
  const parts = /^([A-Za-z])(\1*)(\d{1,4})$/i.exec(name.trim());
  if (!parts) return undefined;
  const [, letter = "", more = "", row = ""] = parts;
  const column = letter.toUpperCase().charCodeAt(0) - 65 + LETTERS * more.length;
  const hex = { column, row: Number(row) };
  return isOn(hex, grid) ? hex : undefined;
}

/** Whether a grid has a hex. Columns B, D, F... begin with the half hex 0. */
export function isOn({ column, row }: Hex, { columns, rows }: Grid): boolean {
  return column >= 0 && column < columns && row >= 1 - (column % 2) && row <= rows;
}

/** Every hex of a grid, column by column. */
export function* hexesOf(grid: Grid): Generator<Hex> {
  for (let column = 0; column < grid.columns; column++) {
    for (let row = 1 - (column % 2); row <= grid.rows; row++) yield { column, row };
  }
}

/** The hex beside another, whether or not a grid has it. */
export function beside({ column, row }: Hex, direction: Direction): Hex {
  const low = column % 2;
  switch (direction) {
    case "N":
      return { column, row: row - 1 };
    case "S":
      return { column, row: row + 1 };
    case "NE":
      return { column: column + 1, row: row - 1 + low };
    case "SE":
      return { column: column + 1, row: row + low };
    case "SW":
      return { column: column - 1, row: row + low };
    case "NW":
      return { column: column - 1, row: row - 1 + low };
  }
}

/** How many hexes apart two hexes are. */
export function range(one: Hex, other: Hex): number {
  const across = Math.abs(one.column - other.column);
  const down = Math.abs(height(one) - height(other)) / 2;
  return across + Math.max(0, down - across / 2);
}

/** How far down a hex lies, in half hexes. */
function height({ column, row }: Hex): number {
  return 2 * row + (column % 2);
}

/** The hexes of a shortest way from one hex to another, the first left out. */
export function way(from: Hex, to: Hex, grid: Grid): Hex[] {
  const hexes: Hex[] = [];
  for (let at = from; range(at, to) > 0; ) {
    const next = DIRECTIONS.map((direction) => beside(at, direction)).filter(
      (hex) => isOn(hex, grid) && range(hex, to) < range(at, to),
    );
    // Of several the one that keeps closest to the straight line.
    next.sort((one, other) => off(one, from, to) - off(other, from, to));
    const [best] = next;
    if (!best) return hexes;
    hexes.push(best);
    at = best;
  }
  return hexes;
}

function off(hex: Hex, from: Hex, to: Hex): number {
  const [p, a, b] = [hex, from, to].map((hex) => centre(hex, { x: 0, y: 0 }));
  if (!p || !a || !b) return 0;
  return Math.abs((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x));
}

/** Where the centre of a hex is drawn, if that of A1 is at `origin`. */
export function centre({ column, row }: Hex, origin: Point): Point {
  return {
    x: origin.x + COLUMN * column,
    y: origin.y + ROW * (row - 1) + (column % 2) * HALF_HEIGHT,
  };
}

/** Where the corners of a hex are, from its centre: 0 lies between north and north-east. */
const CORNERS: readonly Point[] = [
  { x: 15, y: -HALF_HEIGHT },
  { x: HALF_WIDTH, y: 0 },
  { x: 15, y: HALF_HEIGHT },
  { x: -15, y: HALF_HEIGHT },
  { x: -HALF_WIDTH, y: 0 },
  { x: -15, y: -HALF_HEIGHT },
];

/** Where a corner of a hex is; its centre if none is said. */
export function aim(hex: Hex, origin: Point, corner?: number): Point {
  const middle = centre(hex, origin);
  const by = corner === undefined ? undefined : CORNERS[corner];
  return by ? { x: middle.x + by.x, y: middle.y + by.y } : middle;
}

/** The outline of a hex, as a path; smaller or larger by a factor. */
export function outline(middle: Point, factor = 1): string {
  const points = CORNERS.map(({ x, y }) => `${middle.x + x * factor} ${middle.y + y * factor}`);
  return `M${points.join("L")}z`;
}

/** The ends of a hexside, such as `P6|P7` or `A1|N`. */
export function ends(side: string, grid: Grid, origin: Point): [Point, Point] | undefined {
  const [name = "", beyond = ""] = side.split("|", 2);
  const hex = hexOf(name, grid);
  if (!hex) return undefined;
  const is = (direction: Direction) =>
    direction === beyond || nameOf(beside(hex, direction)) === beyond;
  const at = DIRECTIONS.findIndex(is);
  if (at < 0) return undefined;
  // The north hexside lies between the last corner and the first.
  return [aim(hex, origin, (at + 5) % 6), aim(hex, origin, at)];
}

/** The middle of a hexside. */
export function middle([one, other]: readonly [Point, Point]): Point {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}

/** Where two lines meet; the middle of the second if they do not. */
export function meet(line: readonly [Point, Point], side: readonly [Point, Point]): Point {
  const [a, b] = line;
  const [c, d] = side;
  const cross = (b.x - a.x) * (d.y - c.y) - (b.y - a.y) * (d.x - c.x);
  if (Math.abs(cross) < 1e-9) return middle(side);
  const part = ((b.x - a.x) * (a.y - c.y) - (b.y - a.y) * (a.x - c.x)) / cross;
  const on = Math.min(1, Math.max(0, part));
  return { x: c.x + on * (d.x - c.x), y: c.y + on * (d.y - c.y) };
}

/** The hex in which a point lies, if the grid has it. */
export function hexAt(point: Point, grid: Grid, origin: Point): Hex | undefined {
  const near = Math.round((point.x - origin.x) / COLUMN) + 0;
  let best: Hex | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const column of [near - 1, near, near + 1]) {
    const low = Math.abs(column % 2) * HALF_HEIGHT;
    const row = Math.round((point.y - origin.y - low) / ROW) + 1;
    const at = centre({ column, row }, origin);
    const far = Math.hypot(point.x - at.x, point.y - at.y);
    if (far < least) [best, least] = [{ column, row }, far];
  }
  return best && isOn(best, grid) ? best : undefined;
}
