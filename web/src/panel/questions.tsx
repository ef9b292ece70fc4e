import type { Askable } from "../questions.js";
import type { State } from "../state.js";
import { spoken } from "../words.js";
import { Choice } from "./fields.js";

/** The questions of the case that is open. */
export function Questions(props: {
  state: State;
  questions: readonly Askable[];
  ask(asks: Partial<State>): void;
}) {
  const { state, questions, ask } = props;
  const isAsked = ({ asks }: Askable) =>
    Object.entries(asks).every(
      ([key, value]) => JSON.stringify(value) === JSON.stringify(state[key as keyof State]),
    );
  return (
    <div class="row">
      <Choice
        label="Question of this case"
        value={questions.findIndex(isAsked)}
        options={[
          [-1, "another"],
          ...questions.map(({ id }, at): [number, string] => [at, spoken(id)]),
        ]}
        set={(at) => {
          const question = questions[at];
          if (question) ask(question.asks);
        }}
      />
    </div>
  );
}
