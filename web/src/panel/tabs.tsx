import type { Mode } from "../state.js";

const TABS: readonly (readonly [Mode, string])[] = [
  ["fire", "Fire"],
  ["view", "View"],
  ["move", "Move"],
  ["counters", "Counters"],
];

/** The choice of what to ask. */
export function Tabs({ mode, set }: { mode: Mode; set(mode: Mode): void }) {
  return (
    <div class="tabs" role="tablist" aria-label="What to ask" onKeyDown={turnTabs}>
      {TABS.map(([one, name]) => (
        <button
          type="button"
          role="tab"
          key={one}
          id={`tab-${one}`}
          aria-selected={one === mode}
          aria-controls="asked"
          tabIndex={one === mode ? 0 : -1}
          onClick={() => set(one)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

/** The arrow keys go from tab to tab. */
function turnTabs(event: KeyboardEvent & { currentTarget: HTMLElement }) {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")];
  const at = tabs.indexOf(document.activeElement as HTMLElement);
  if (by === undefined || at < 0) return;
  const next = tabs[(at + by + tabs.length) % tabs.length];
  next?.focus();
  next?.click();
}
