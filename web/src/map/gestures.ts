import type { Point } from "../geometry.js";

/** How far a pointer moves before it drags, in pixels. */
const STILL = 5;

/** What pointers do on a map. Points are those of the picture, unless it is said otherwise. */
export interface Handlers {
  /** Where a point of the window is in the picture. */
  toPicture(point: Point): Point;
  /** A click or tap. */
  pick(at: Point, counter: string | undefined): void;
  /** The map is moved by so many pixels. */
  pan(dx: number, dy: number): void;
  /** It is seen from nearer (below 1) or further, about a point of the window. */
  zoom(factor: number, about: Point): void;
  /** A counter is dragged: where it is now, and at the end whether it was dropped or not. */
  drag(counter: string, at: Point, by: Point): void;
  drop(counter: string, at: Point | undefined): void;
}

interface Touch {
  readonly start: Point;
  last: Point;
}

/** Tells what the pointers on an element do. Gives what ends it. */
export function listen(element: SVGSVGElement, handlers: Handlers): () => void {
  const touches = new Map<number, Touch>();
  let counter: string | undefined;
  let moving = false;
  let grip: Point = { x: 0, y: 0 };

  const at = (event: PointerEvent | WheelEvent): Point => ({ x: event.clientX, y: event.clientY });

  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    touches.set(event.pointerId, { start: at(event), last: at(event) });
    if (touches.size > 1) return letGo();
    const target = event.target instanceof Element ? event.target : undefined;
    counter = target?.closest("[data-counter]")?.getAttribute("data-counter") ?? undefined;
    moving = false;
    grip = handlers.toPicture(at(event));
  };

  const move = (event: PointerEvent) => {
    const touch = touches.get(event.pointerId);
    if (!touch) return;
    const now = at(event);
    const [dx, dy] = [now.x - touch.last.x, now.y - touch.last.y];
    if (touches.size === 2) pinch(event.pointerId, touch, now);
    else if (moving || Math.hypot(now.x - touch.start.x, now.y - touch.start.y) > STILL) {
      moving = true;
      if (counter === undefined) handlers.pan(dx, dy);
      else {
        const to = handlers.toPicture(now);
        handlers.drag(counter, to, { x: to.x - grip.x, y: to.y - grip.y });
      }
    } else return;
    touch.last = now;
  };

  const pinch = (id: number, touch: Touch, now: Point) => {
    const [, other] = [...touches].find(([one]) => one !== id) ?? [];
    if (!other) return;
    const far = (point: Point) => Math.hypot(point.x - other.last.x, point.y - other.last.y);
    const about = { x: (now.x + other.last.x) / 2, y: (now.y + other.last.y) / 2 };
    handlers.pan((now.x - touch.last.x) / 2, (now.y - touch.last.y) / 2);
    if (far(now) > 1) handlers.zoom(far(touch.last) / far(now), about);
    moving = true;
  };

  const up = (event: PointerEvent) => {
    if (!touches.delete(event.pointerId)) return;
    const to = handlers.toPicture(at(event));
    if (counter !== undefined && moving) handlers.drop(counter, to);
    else if (!moving && touches.size === 0) handlers.pick(to, counter);
    counter = undefined;
    if (touches.size === 0) moving = false;
  };

  const letGo = () => {
    if (counter !== undefined && moving) handlers.drop(counter, undefined);
    counter = undefined;
    moving = true;
  };

  const cancel = (event: PointerEvent) => {
    touches.delete(event.pointerId);
    letGo();
  };

  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    // Lines and pages in pixels, as mice tell them that do not scroll smoothly.
    const unit = [1, 30, 300][event.deltaMode] ?? 1;
    const by = Math.max(-240, Math.min(240, event.deltaY * unit));
    handlers.zoom(Math.exp(by * 0.0016), at(event));
  };

  const key = (event: KeyboardEvent) => event.key === "Escape" && letGo();

  element.addEventListener("pointerdown", down);
  element.addEventListener("pointermove", move);
  element.addEventListener("pointerup", up);
  element.addEventListener("pointercancel", cancel);
  element.addEventListener("wheel", wheel, { passive: false });
  window.addEventListener("keydown", key);
  return () => {
    element.removeEventListener("pointerdown", down);
    element.removeEventListener("pointermove", move);
    element.removeEventListener("pointerup", up);
    element.removeEventListener("pointercancel", cancel);
    element.removeEventListener("wheel", wheel);
    window.removeEventListener("keydown", key);
  };
}
