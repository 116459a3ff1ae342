/** An element of the page by its id, which index.html has. */
export const byId = <E extends HTMLElement = HTMLElement>(id: string): E => document.getElementById(id) as E;

type Attributes = Readonly<Record<string, string | number | boolean | null>>;

/** Children are text or elements; text is only ever text, whatever is in it. */
export function element(tag: string, attributes: Attributes, ...children: readonly (string | Node)[]): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) continue;
    made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children);
  return made;
}

/** Tabs of which one is chosen; arrow keys go from one to the next. */
export function tabs(
  list: HTMLElement,
  items: readonly { readonly name: string; readonly label: string; readonly badge?: string }[],
  chosen: string,
  choose: (name: string) => void,
): void {
  const signature = JSON.stringify([items, chosen]);
  if (list.dataset["shown"] === signature) return;
  const focused = document.activeElement?.parentElement === list;
  list.dataset["shown"] = signature;
  list.replaceChildren(
    ...items.map(({ name, label, badge }) => {
      const attributes = { role: "tab", type: "button", "aria-selected": String(name === chosen), "data-name": name };
      const tab = element("button", { ...attributes, tabindex: name === chosen ? 0 : -1 }, label);
      if (badge !== undefined) tab.append(" ", element("span", { class: "badge" }, badge));
      tab.addEventListener("click", () => choose(name));
      return tab;
    }),
  );
  list.onkeydown = ({ key }) => {
    const at = items.findIndex(({ name }) => name === chosen);
    const next = items[at + (key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0)];
    if (next !== undefined && next.name !== chosen) choose(next.name);
  };
  if (focused) list.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
}
