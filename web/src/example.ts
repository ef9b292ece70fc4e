import { create, RulesetSchema } from "@alamein/client";
import { readCase } from "@alamein/client/cases";
import example from "./example.json";
import { opened, type State } from "./state.js";

/** The page that one sees first: the worked example of F4, with H firing at K past tank A. */
export function readExample(): State {
  // Its layers say by themselves what they hold.
  const { title, position } = readCase(JSON.stringify(example), create(RulesetSchema));
  return {
    ...opened(title, position),
    from: { counter: "H" },
    to: { counter: "K" },
    picking: "to",
  };
}
