// What this version of TypeScript does not know yet. Old browsers do not have it.

interface HTMLElement {
  popover: string | null;
  showPopover?(options?: { source?: HTMLElement }): void;
  hidePopover?(): void;
}

interface ToggleEvent extends Event {
  newState: "open" | "closed";
}
