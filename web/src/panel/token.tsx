import { Field } from "./fields.js";

/** Asks for the token that the service wants. It is kept until the window is closed. */
export function Token({ bear }: { bear(token: string): void }) {
  return (
    <form
      class="token"
      onSubmit={(event) => {
        event.preventDefault();
        const token = new FormData(event.currentTarget).get("token");
        if (typeof token === "string" && token.trim() !== "") bear(token.trim());
      }}
    >
      <p>This service asks who you are. Your token needs the scope “adjudicate”.</p>
      <Field label="Token">
        {(id) => <input id={id} name="token" type="password" autocomplete="off" />}
      </Field>
      <button type="submit" class="main">
        Go on
      </button>
    </form>
  );
}
