const PATHS = {
  aim: "M12 3v5M12 16v5M3 12h5M16 12h5M12 6.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11z",
  swap: "M4 9h15l-4-4M20 15H5l4 4",
  nearer: "M12 5v14M5 12h14",
  further: "M5 12h14",
  matters: "M12 2v4M12 18v4M2 12h4M18 12h4M12 8a4 4 0 1 0 0 8a4 4 0 0 0 0-8z",
  whole: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  close: "M6 6l12 12M18 6L6 18",
  undo: "M9 14L4 9l5-5M4 9h9a6 6 0 0 1 0 12h-3",
  auto: "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18zM12 3v18",
  light:
    "M12 8a4 4 0 1 0 0 8a4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5",
  dark: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
} as const;

/** A sign on a button, whose meaning the button says in words. */
export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
