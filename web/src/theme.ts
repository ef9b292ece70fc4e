/** Which colours the page has: those of the machine, or its own. */
export type Theme = "auto" | "light" | "dark";

const KEPT = "alamein-theme";

/** The theme that was chosen last. */
export function themeNow(): Theme {
  const kept = localStorage.getItem(KEPT);
  const theme = kept === "light" || kept === "dark" ? kept : "auto";
  applyTheme(theme);
  return theme;
}

export function nextTheme(theme: Theme): Theme {
  return { auto: "light", light: "dark", dark: "auto" }[theme] as Theme;
}

export function applyTheme(theme: Theme): void {
  if (theme === "auto") {
    localStorage.removeItem(KEPT);
    delete document.documentElement.dataset["theme"];
  } else {
    localStorage.setItem(KEPT, theme);
    document.documentElement.dataset["theme"] = theme;
  }
}
