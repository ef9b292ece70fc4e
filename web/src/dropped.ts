import { useEffect } from "preact/hooks";
import type { Told } from "./service.js";

/** Files that are dropped on the page, and texts that are pasted into nothing. */
export function useDropped(
  open: (text: string) => Promise<Told | undefined>,
  complain: (trouble: string | undefined) => void,
) {
  useEffect(() => {
    const take = async (text: string) => {
      const wrong = await open(text);
      if (wrong) complain([wrong.text, ...wrong.fields].join(" "));
    };
    const over = (event: DragEvent) => event.preventDefault();
    const drop = async (event: DragEvent) => {
      event.preventDefault();
      const [file] = event.dataTransfer?.files ?? [];
      const text = file ? await file.text() : event.dataTransfer?.getData("text");
      if (text) await take(text);
    };
    const paste = async (event: ClipboardEvent) => {
      const into =
        event.target instanceof Element && event.target.closest("input, textarea, select");
      const text = event.clipboardData?.getData("text") ?? "";
      if (!into && text.trim() !== "") await take(text);
    };
    window.addEventListener("dragover", over);
    window.addEventListener("drop", drop);
    window.addEventListener("paste", paste);
    return () => {
      window.removeEventListener("dragover", over);
      window.removeEventListener("drop", drop);
      window.removeEventListener("paste", paste);
    };
  }, [open, complain]);
}
