import { CounterClass, type Position } from "@alamein/client";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import chapterF from "../../docs/maps/chapter-f.toml?raw";
import { useAsked } from "./asked.js";
import { useDropped } from "./dropped.js";
import f4 from "./example.json";
import { useField } from "./field.js";
import { type Hex, hexOf, nameOf, way } from "./geometry.js";
import { toLink } from "./link.js";
import { Board } from "./map/board.js";
import { Layers } from "./map/layers.js";
import { Costs, Hindrances, Line, Lit, Path, Picked, Reached, View } from "./map/overlays.js";
import { inWords, lying, standing } from "./map/told.js";
import { Bar } from "./panel/bar.js";
import { CountersPanel } from "./panel/counters.js";
import { CodeDialog, OpenDialog } from "./panel/dialogs.js";
import { Difference } from "./panel/difference.js";
import { Trouble } from "./panel/fields.js";
import { EndNames, FirePanel } from "./panel/fire.js";
import { MovePanel } from "./panel/move.js";
import { Questions } from "./panel/questions.js";
import { RulesChoice } from "./panel/rules.js";
import { Tabs } from "./panel/tabs.js";
import { Token } from "./panel/token.js";
import { ViewPanel } from "./panel/view.js";
import { endOfPath } from "./path.js";
import { dissect } from "./picture.js";
import type { Askable } from "./questions.js";
import { lineRequest, pathRequest, viewRequest } from "./requests.js";
import { type Service, told } from "./service.js";
import type { Shown } from "./snippets.js";
import { counterOf, type End, endOf, gridOf, hexNameOf, moved, type State } from "./state.js";

/** The whole page. */
export function App(props: {
  service: Service;
  first: State;
  example: State;
  trouble: string | undefined;
}) {
  const { service, example } = props;
  const [state, set] = useState(props.first);
  const [lit, light] = useState<string | undefined>();
  const [dialog, show] = useState<"open" | Shown | undefined>();
  const [trouble, complain] = useState(props.trouble);
  const [opening, reopen] = useState(0);
  const [login, relogin] = useState(0);
  const [questions, offer] = useState<readonly Askable[]>([]);
  const [chosen, choose] = useState<End | undefined>();
  const [past, remember] = useState<readonly Position[]>([]);
  const change = useCallback((part: Partial<State>) => {
    set((state) => {
      if (part.position) remember((past) => [...past.slice(-99), state.position]);
      return { ...state, ...part };
    });
  }, []);
  const undo = useCallback(() => {
    remember((past) => {
      const before = past.at(-1);
      if (before) set((state) => ({ ...state, position: before }));
      return past.slice(0, -1);
    });
  }, []);
  const { position, mode, rules, versus } = state;
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      const writing = event.target instanceof Element && event.target.closest("input, textarea");
      if ((event.ctrlKey || event.metaKey) && event.key === "z" && !writing) {
        event.preventDefault();
        undo();
      }
    };
    window.addEventListener("keydown", key);
    return () => window.removeEventListener("keydown", key);
  }, [undo]);

  // What the page shows is in its address: it can be copied, and reloaded.
  const shown = useRef("");
  useEffect(() => {
    const soon = setTimeout(async () => {
      const link = await toLink(state, example);
      shown.current = link;
      history.replaceState(undefined, "", `#${link}`);
    }, 150);
    return () => clearTimeout(soon);
  }, [state, example]);
  useEffect(() => {
    const other = () => {
      if (location.hash.slice(1) !== shown.current) location.reload();
    };
    window.addEventListener("hashchange", other);
    return () => window.removeEventListener("hashchange", other);
  }, []);
  useEffect(() => {
    document.title = `${state.title} · Alamein`;
  }, [state.title]);

  const picture = useAsked(
    async (signal) => dissect(await service.picture(state, signal)),
    [position, state.hidden, rules.ruleset, login],
  );
  const rulesets = useAsked((signal) => service.rulesets(signal), [login]);
  const [one, two] = [rules.ruleset, versus?.ruleset];
  const difference = useAsked(
    async (signal) =>
      two === undefined || two === one ? undefined : service.difference(one, two, signal),
    [one, two, login],
  );
  const asked = [position, state.from, state.to, state.attack, state.munition, mode, login];
  const fires = mode === "fire";
  const ruling = useAsked(
    async (signal) => (fires ? service.line(state, rules, signal) : undefined),
    [...asked, rules],
  );
  const otherRuling = useAsked(
    async (signal) => (fires && versus ? service.line(state, versus, signal) : undefined),
    [...asked, versus],
  );
  const field = useField(service, state, mode === "view" ? rules : undefined, login);
  const otherField = useField(service, state, mode === "view" ? versus : undefined, login);
  const walked = [position, state.path, state.mover, mode, login];
  const moves = mode === "move";
  const price = useAsked(
    async (signal) => (moves ? service.path(state, rules, signal) : undefined),
    [...walked, rules],
  );
  const otherPrice = useAsked(
    async (signal) => (moves && versus ? service.path(state, versus, signal) : undefined),
    [...walked, versus],
  );
  const reach = useAsked(
    async (signal) => (moves && state.reach ? service.reach(state, rules, signal) : undefined),
    [position, state.path[0], state.mover, state.reach, mode, rules, login],
  );

  const grid = gridOf(position);
  const pick = (hex: Hex, counter: string | undefined, how: "click" | "from" | "to") => {
    const name = nameOf(hex);
    const end: End = counter === undefined ? { hex: name } : { counter };
    const which = how === "click" ? state.picking : how;
    if (mode === "counters" && how === "click")
      choose(counter === undefined ? { hex: name } : { counter });
    else if (mode === "move") {
      if (how === "click" || how === "from") step(hex, counter);
    } else if (mode === "view" || which === "from") {
      change({ from: end, picking: mode === "fire" ? "to" : state.picking });
    } else change({ to: end });
  };
  const step = (hex: Hex, counter: string | undefined) => {
    const name = nameOf(hex);
    const last = endOfPath(state.path);
    const from = last === undefined ? undefined : hexOf(last, grid);
    if (!from) {
      const named = counter !== undefined && counterOf(position, counter);
      const drives = named && named.class !== CounterClass.WRECK;
      const mover = drives ? { ...state.mover, counter: named.id } : state.mover;
      change({ path: [name], mover });
    } else if (name === last) change({ path: state.path.slice(0, -1) });
    else change({ path: [...state.path, ...way(from, hex, grid).map(nameOf)] });
  };
  const drop = (counter: string, hex: Hex) => {
    const name = nameOf(hex);
    if (counterOf(position, counter)?.hex === name) return false;
    change({ position: moved(position, counter, name) });
    return true;
  };

  const open = useCallback(
    async (text: string) => {
      try {
        const [opened, questions] = await service.open(text, new AbortController().signal);
        const first = opened.position.counters[0];
        remember([]);
        choose(undefined);
        offer(questions);
        const begin = first && { from: endOf(first.id, opened.position), picking: "to" as const };
        set({ ...opened, ...begin, ...questions[0]?.asks });
        reopen((count) => count + 1);
        complain(undefined);
        return undefined;
      } catch (error) {
        return told(error);
      }
    },
    [service],
  );
  useDropped(open, complain);

  const ask = async () => {
    const ignored = await service.ignored(state, rules);
    if (mode === "view") return viewRequest(state, rules, ignored);
    return mode === "move"
      ? pathRequest(state, rules, ignored)
      : lineRequest(state, rules, ignored);
  };

  const subject = useMemo(() => lying(state), [position]);
  const ground = picture.value && { grid, origin: picture.value.origin };
  const from = hexNameOf(mode === "counters" ? chosen : state.from, position);
  const to = hexNameOf(state.to, position);
  const needsToken = [picture, rulesets].some(({ error }) =>
    /^(CREDENTIALS|TOKEN)_/.test(error?.reason ?? ""),
  );

  return (
    <>
      <Bar
        title={state.title}
        undo={past.length > 0 ? undo : undefined}
        open={() => show("open")}
      />
      <main class={versus ? "wide" : undefined}>
        <section class="map" aria-label="Map" aria-busy={picture.busy}>
          {picture.value && ground && (
            <Board
              picture={picture.value}
              grid={grid}
              names={state.names}
              pieces={state.pieces}
              subject={subject}
              opening={opening}
              label={`${state.title}: a map of ${grid.columns} by ${grid.rows} hexes`}
              shade={
                <>
                  {mode === "view" && field.value && (
                    <View seen={field.value} other={versus && otherField.value} ground={ground} />
                  )}
                  {mode === "move" && state.reach && reach.value && (
                    <Reached reach={reach.value} ground={ground} />
                  )}
                </>
              }
              lines={
                <>
                  {mode === "fire" && ruling.value && (
                    <Line ruling={ruling.value} ground={ground} faint={ruling.busy} />
                  )}
                  {mode !== "move" && from !== undefined && (
                    <Picked
                      from={from}
                      {...(mode === "fire" && to !== undefined && { to })}
                      ground={ground}
                    />
                  )}
                </>
              }
              top={
                <>
                  {mode === "view" && field.value && (
                    <Hindrances seen={field.value} ground={ground} />
                  )}
                  {mode === "move" && state.reach && reach.value && (
                    <Costs reach={reach.value} ground={ground} />
                  )}
                  {mode === "move" && (
                    <Path path={state.path} price={price.value} ground={ground} />
                  )}
                  {lit !== undefined && <Lit place={lit} ground={ground} />}
                </>
              }
              pick={pick}
              drop={drop}
              inWords={(hex) => inWords(hex, state)}
              counters={(hex) => standing(hex, state)}
            />
          )}
          {picture.error && !needsToken && <Trouble error={picture.error} />}
          {!picture.value && picture.busy && <p class="waiting">Drawing the map…</p>}
          <p class="unseen" id="words">
            {picture.value?.words}
          </p>
          <Layers state={state} change={change} />
        </section>
        <aside class="panel" aria-label="Rulings">
          <h2 class="unseen">Rulings</h2>
          {trouble !== undefined && (
            <div class="trouble" role="alert">
              <p>{trouble}</p>
              <button type="button" onClick={() => complain(undefined)}>
                Very well
              </button>
            </div>
          )}
          {needsToken && (
            <Token
              bear={(token) => {
                service.bear(token);
                relogin((count) => count + 1);
              }}
            />
          )}
          {questions.length > 0 && (
            <Questions state={state} questions={questions} ask={(asks) => change(asks)} />
          )}
          <Tabs mode={mode} set={(mode) => change({ mode })} />
          <div id="asked" role="tabpanel" aria-labelledby={`tab-${mode}`}>
            {mode !== "counters" && (
              <RulesChoice
                state={state}
                rulesets={rulesets.value ?? []}
                lines={mode !== "move"}
                change={change}
              >
                <Difference asked={difference} />
              </RulesChoice>
            )}
            {mode === "fire" && (
              <FirePanel
                state={state}
                change={change}
                ruling={ruling}
                other={versus && otherRuling}
                light={light}
              />
            )}
            {mode === "view" && (
              <ViewPanel state={state} change={change} field={field} other={versus && otherField} />
            )}
            {mode === "move" && (
              <MovePanel
                state={state}
                change={change}
                price={price}
                other={versus && otherPrice}
                reach={reach}
                light={light}
              />
            )}
            {mode === "counters" && (
              <CountersPanel state={state} change={change} chosen={chosen} choose={choose} />
            )}
            {mode !== "counters" && (
              <p class="elsewhere">
                <button
                  type="button"
                  class="plain"
                  onClick={async () => {
                    const shown = await ask();
                    if (shown) show(shown);
                  }}
                >
                  Ask the same from grpcurl, Python or TypeScript…
                </button>
              </p>
            )}
          </div>
        </aside>
      </main>
      <EndNames state={state} />
      {dialog === "open" && (
        <OpenDialog
          samples={[
            { title: "A hillock, a deir, sand and a dune", text: chapterF },
            { title: "The example of F4", text: JSON.stringify(f4) },
            { title: "An empty board", text: "[[board]]\n" },
          ]}
          open={open}
          close={() => show(undefined)}
        />
      )}
      {dialog !== undefined && dialog !== "open" && (
        <CodeDialog shown={dialog} address={service.address} close={() => show(undefined)} />
      )}
    </>
  );
}
