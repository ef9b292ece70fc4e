import { useState } from "preact/hooks";
import { applyTheme, nextTheme, type Theme, themeNow } from "../theme.js";
import { Icon } from "./icons.js";

/** What is above the page: its title, and what concerns the whole of it. */
export function Bar(props: {
  title: string;
  /** Takes the last change of the counters back, if there is one. */
  undo: (() => void) | undefined;
  open(): void;
}) {
  const { title, undo, open } = props;
  const [theme, setTheme] = useState<Theme>(themeNow);
  return (
    <header class="bar">
      <h1>
        <img src="./favicon.svg" alt="" width="26" height="26" /> Alamein
      </h1>
      <p class="title">{title}</p>
      <nav aria-label="Page">
        <button
          type="button"
          disabled={!undo}
          title="Put the counters back as they were (Ctrl+Z)"
          aria-label="Undo"
          onClick={undo}
        >
          <Icon name="undo" />
        </button>
        <button type="button" onClick={open}>
          Open…
        </button>
        <CopyLink />
        <button
          type="button"
          title="How the page looks"
          aria-label={`Colours: ${theme}`}
          onClick={() => {
            const next = nextTheme(theme);
            setTheme(next);
            applyTheme(next);
          }}
        >
          <Icon name={theme} />
        </button>
      </nav>
    </header>
  );
}

/** Copies the page's address, which reopens it as it is. */
function CopyLink() {
  const [said, say] = useState("Copy link");
  const copy = async () => {
    // The address may not have caught up with the last change yet.
    await new Promise((resolve) => setTimeout(resolve, 300));
    const done = await navigator.clipboard?.writeText(location.href).then(
      () => true,
      () => false,
    );
    say(done ? "Copied" : "It is in the address bar");
    setTimeout(() => say("Copy link"), 2500);
  };
  return (
    <button type="button" onClick={copy} aria-live="polite">
      {said}
    </button>
  );
}
