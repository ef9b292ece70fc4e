import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import {
  beside,
  centre,
  type Direction,
  type Grid,
  type Hex,
  hexAt,
  isOn,
  nameOf,
  outline,
  type Point,
} from "../geometry.js";
import { Icon } from "../panel/icons.js";
import type { Picture } from "../picture.js";
import { around, type Box, panned, shaped, showing, within, zoomed } from "./camera.js";
import { listen } from "./gestures.js";

/** What the map is given to draw, and to tell. */
export interface BoardProps {
  readonly picture: Picture;
  readonly grid: Grid;
  readonly names: boolean;
  readonly pieces: boolean;
  /** The hexes that are looked at when the map is opened. */
  readonly subject: readonly Hex[];
  /** Changes when another map is opened. */
  readonly opening: unknown;
  readonly label: string;
  /** What the page draws over the ground, and over the names of hexes. */
  readonly shade: ComponentChildren;
  readonly lines: ComponentChildren;
  readonly top: ComponentChildren;
  pick(hex: Hex, counter: string | undefined, how: "click" | "from" | "to"): void;
  /** Sets a counter down. Gives whether anything comes of it. */
  drop(counter: string, hex: Hex): boolean;
  /** A hex in words, for those who do not see it. */
  inWords(hex: Hex): string;
  /** The counters of a hex, the first to be taken up first. */
  counters(hex: Hex): readonly string[];
}

const ARROWS: Record<string, (hex: Hex) => Direction> = {
  ArrowUp: () => "N",
  ArrowDown: () => "S",
  // To the side one goes down and up in turn, so that a row of keys is a row of hexes.
  ArrowLeft: ({ column }) => (column % 2 === 0 ? "SW" : "NW"),
  ArrowRight: ({ column }) => (column % 2 === 0 ? "SE" : "NE"),
};

/** From how far the names of hexes are not drawn, in the picture's units to a pixel. */
const FAR = 3.4;

/** The map: the service's picture with what the page draws between its parts. */
export function Board(props: BoardProps) {
  const { picture, grid } = props;
  const svg = useRef<SVGSVGElement>(null);
  const camera = useRef<Box>({ x: 0, y: 0, width: picture.width, height: picture.height });
  const latest = useRef(props);
  latest.current = props;
  const [cursor, setCursor] = useState<Hex | undefined>();
  const [held, setHeld] = useState<string | undefined>();
  const [over, setOver] = useState<Hex | undefined>();
  const [said, say] = useState("");
  const whole: Box = { x: 0, y: 0, width: picture.width, height: picture.height };

  const look = (box: Box) => {
    camera.current = box;
    svg.current?.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
    // From so far nobody reads the names, and of a large map they are most of the drawing.
    svg.current?.classList.toggle("far", scale() > FAR);
  };
  const size = () => svg.current?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1);
  const scale = () => camera.current.width / Math.max(1, size().width);
  const toPicture = (point: Point): Point => {
    const { left, top } = size();
    const by = scale();
    return {
      x: camera.current.x + (point.x - left) * by,
      y: camera.current.y + (point.y - top) * by,
    };
  };
  const zoom = (factor: number, about?: Point) => {
    const { left, top, width, height } = size();
    const at = toPicture(about ?? { x: left + width / 2, y: top + height / 2 });
    look(zoomed(camera.current, factor, at, whole));
  };
  const frame = (all: boolean) => {
    const points = latest.current.subject.map((hex) => centre(hex, picture.origin));
    const box = all ? whole : (around(points, 110) ?? whole);
    look(within(shaped(box, size()), whole));
  };

  // Another map is looked at anew, as soon as its picture is there; another picture of the same is not.
  const opening = useRef<unknown>(undefined);
  useLayoutEffect(() => {
    if (opening.current === props.opening) return;
    opening.current = props.opening;
    setCursor(undefined);
    setHeld(undefined);
    frame(false);
  }, [picture]);

  useEffect(() => {
    const element = svg.current;
    if (!element) return;
    const watch = new ResizeObserver(() => {
      const box = camera.current;
      const { width, height } = size();
      look({ ...box, height: (box.width * height) / Math.max(1, width) });
    });
    watch.observe(element);
    const hex = (point: Point) => hexAt(point, latest.current.grid, latest.current.picture.origin);
    const group = (id: string) =>
      element.querySelector<SVGGElement>(`[data-counter="${CSS.escape(id)}"]`);
    const end = listen(element, {
      toPicture,
      zoom,
      pick(at, counter) {
        const on = hex(at);
        if (on) latest.current.pick(on, counter, "click");
      },
      pan: (dx, dy) => look(panned(camera.current, -dx * scale(), -dy * scale(), whole)),
      drag(counter, at, by) {
        const dragged = group(counter);
        dragged?.parentElement?.append(dragged);
        dragged?.setAttribute("data-dragged", `${by.x}`);
        dragged?.style.setProperty("translate", `${by.x}px ${by.y}px`);
        setOver(hex(at));
      },
      drop(counter, at) {
        setOver(undefined);
        const to = at && hex(at);
        const dragged = group(counter);
        dragged?.removeAttribute("data-dragged");
        // Where nothing comes of it, no new picture puts the counter in its place.
        const done = to !== undefined && latest.current.drop(counter, to);
        if (!done) dragged?.style.removeProperty("translate");
      },
    });
    return () => {
      watch.disconnect();
      end();
    };
  }, [picture.width, picture.height]);

  const go = (to: Hex) => {
    if (!isOn(to, grid)) return;
    setCursor(to);
    look(showing(camera.current, centre(to, picture.origin), 80));
    say(props.inWords(to));
  };

  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [first] = props.subject;
    const at = cursor ?? first ?? { column: 0, row: 1 };
    const arrow = ARROWS[event.key];
    const [counter] = props.counters(at);
    if (arrow) go(cursor ? beside(at, arrow(at)) : at);
    else if (event.key === "Enter" || event.key === " ") {
      if (held !== undefined) {
        props.drop(held, at);
        say(`${held} is now in ${nameOf(at)}`);
        setHeld(undefined);
      } else props.pick(at, counter, "click");
    } else if (event.key === "f") props.pick(at, counter, "from");
    else if (event.key === "t") props.pick(at, counter, "to");
    else if (event.key === "m" && counter !== undefined) {
      setHeld(counter);
      say(`${counter} is taken up. Go to a hex and press Enter; Escape leaves it where it is.`);
    } else if (event.key === "Escape") {
      setHeld(undefined);
      say("");
    } else if (event.key === "+" || event.key === "=") zoom(0.8);
    else if (event.key === "-") zoom(1.25);
    else if (event.key === "0") frame(false);
    else return;
    event.preventDefault();
  };

  const mark = (hex: Hex, name: string) => (
    <path class={name} d={outline(centre(hex, picture.origin), 0.94)} />
  );

  return (
    <div class="board">
      <svg
        ref={svg}
        role="application"
        aria-roledescription="map"
        aria-label={props.label}
        aria-describedby="map-keys"
        tabindex={0}
        onKeyDown={key}
        fill="none"
        stroke-linecap="round"
        stroke-linejoin="round"
      >
        <Part of={picture.ground} />
        <g class="drawn">{props.shade}</g>
        {props.names && (
          <g class="names">
            <Part of={picture.names} still />
          </g>
        )}
        <g class="drawn">
          {props.lines}
          {over && mark(over, "over")}
        </g>
        {props.pieces && <Part of={picture.counters} />}
        <g class="drawn">
          {props.top}
          {cursor && mark(cursor, held === undefined ? "cursor" : "cursor held")}
        </g>
        <Part of={picture.legend} still />
      </svg>
      <p id="map-keys" class="unseen">
        Arrow keys go from hex to hex. Enter picks a hex or its counter, f makes it the firer and t
        the target, m takes a counter up and Enter sets it down. Plus and minus zoom, 0 shows what
        matters.
      </p>
      <p class="unseen" role="status">
        {said}
      </p>
      <fieldset class="zoom">
        <legend class="unseen">Zoom</legend>
        <button type="button" title="Nearer (+)" aria-label="Nearer" onClick={() => zoom(0.7)}>
          <Icon name="nearer" />
        </button>
        <button type="button" title="Further (−)" aria-label="Further" onClick={() => zoom(1.4)}>
          <Icon name="further" />
        </button>
        <button
          type="button"
          title="What matters (0)"
          aria-label="Show what matters"
          onClick={() => frame(false)}
        >
          <Icon name="matters" />
        </button>
        <button
          type="button"
          title="The whole map"
          aria-label="Show the whole map"
          onClick={() => frame(true)}
        >
          <Icon name="whole" />
        </button>
      </fieldset>
    </div>
  );
}

/** Some elements of the service's picture. */
function Part({ of, still = false }: { of: readonly SVGElement[]; still?: boolean }) {
  const group = useRef<SVGGElement>(null);
  const copies = useMemo(() => of.map((element) => document.importNode(element, true)), [of]);
  useLayoutEffect(() => group.current?.replaceChildren(...copies), [copies]);
  return <g ref={group} class={still ? "still" : undefined} />;
}
