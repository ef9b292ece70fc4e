import { useEffect, useRef, useState } from "preact/hooks";
import type { Told } from "../service.js";
import { LANGUAGES, type Language, type Shown, snippet } from "../snippets.js";
import { Trouble } from "./fields.js";
import { Icon } from "./icons.js";

/** A window over the page, as long as it is open. */
export function Dialog(props: {
  title: string;
  close(): void;
  children: preact.ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it already.
    <dialog
      ref={dialog}
      aria-label={props.title}
      onClose={props.close}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <header>
        <h2>{props.title}</h2>
        <button
          type="button"
          class="plain"
          aria-label="Close"
          onClick={() => dialog.current?.close()}
        >
          <Icon name="close" />
        </button>
      </header>
      {props.children}
    </dialog>
  );
}

/** What there is to begin with. */
export interface Sample {
  readonly title: string;
  readonly text: string;
}

/** Opens a case file or a map file: chosen, dropped, pasted, or one of the samples. */
export function OpenDialog(props: {
  samples: readonly Sample[];
  open(text: string): Promise<Told | undefined>;
  close(): void;
}) {
  const { samples, open, close } = props;
  const [text, write] = useState("");
  const [error, fail] = useState<Told | undefined>();
  const [busy, wait] = useState(false);
  const take = async (text: string) => {
    wait(true);
    const wrong = await open(text);
    wait(false);
    if (wrong) fail(wrong);
    else close();
  };
  return (
    <Dialog title="Open a map or a case" close={close}>
      <p>
        A case file, as <code>alamein check</code> replays it, or a map file in TOML or JSON. You
        may also drop one anywhere on the page, or paste it.
      </p>
      <div class="row buttons">
        {samples.map(({ title, text }) => (
          <button type="button" key={title} disabled={busy} onClick={() => take(text)}>
            {title}
          </button>
        ))}
      </div>
      <label class="file">
        A file of yours
        <input
          type="file"
          accept=".json,.toml,application/json"
          onChange={async (event) => {
            const [file] = event.currentTarget.files ?? [];
            if (file) await take(await file.text());
          }}
        />
      </label>
      <label class="paste">
        Or its text
        <textarea
          rows={8}
          value={text}
          spellcheck={false}
          onInput={(event) => write(event.currentTarget.value)}
        />
      </label>
      {error && <Trouble error={error} />}
      <div class="row buttons">
        <button
          type="button"
          class="main"
          disabled={busy || text.trim() === ""}
          onClick={() => take(text)}
        >
          Open
        </button>
      </div>
    </Dialog>
  );
}

/** Shows the request in several languages, to be copied. */
export function CodeDialog(props: { shown: Shown; address: string; close(): void }) {
  const [language, choose] = useState<Language>("grpcurl");
  const code = snippet(language, props.shown, props.address);
  return (
    <Dialog title="The same request from elsewhere" close={props.close}>
      <fieldset class="tabs">
        <legend class="unseen">Language</legend>
        {LANGUAGES.map((one) => (
          <button
            type="button"
            key={one}
            aria-pressed={one === language}
            onClick={() => choose(one)}
          >
            {one}
          </button>
        ))}
      </fieldset>
      {/* It scrolls, and keys must reach it. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above. */}
      <section class="code" tabIndex={0} aria-label={`The request for ${language}`}>
        <pre>
          <code>{code}</code>
        </pre>
      </section>
      <div class="row buttons">
        <CopyButton text={code} label={`Copy for ${language}`} />
      </div>
    </Dialog>
  );
}

/** Copies a text, and says so. */
export function CopyButton({
  text,
  label,
}: {
  text: string | (() => Promise<string>);
  label: string;
}) {
  const [said, say] = useState("");
  const copy = async () => {
    const copied = typeof text === "string" ? text : await text();
    const done = await navigator.clipboard?.writeText(copied).then(
      () => true,
      () => false,
    );
    say(done ? "Copied" : "The browser does not let this page copy");
    setTimeout(() => say(""), 2500);
  };
  return (
    <>
      <button type="button" class="main" onClick={copy}>
        {said === "" ? label : said}
      </button>
      <span class="unseen" role="status">
        {said}
      </span>
    </>
  );
}
