// Elements from data: text is only ever set as text, never parsed.

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function button(label, press, attributes = {}) {
  return h("button", { type: "button", class: "wn-button", onclick: press, ...attributes }, label);
}

const SVG = "http://www.w3.org/2000/svg";
const ICONS = {
  first: "M3.5 3v10M13 3.4v9.2L5.8 8z", back: "M11.5 3.4v9.2L4.3 8z", forward: "M4.5 3.4v9.2L11.7 8z", last: "M12.5 3v10M3 3.4v9.2L10.2 8z",
};

// Drawn, since a font may lack the signs.
export function icon(name) {
  const image = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries({ viewBox: "0 0 16 16", width: 13, height: 13, class: "wn-icon", "aria-hidden": "true" })) image.setAttribute(key, value);
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  image.append(path);
  return image;
}

// A word for those who hear the page.
export const unseen = (said) => h("span", { class: "wn-visually-hidden" }, said);

export const number = (value) => value.toLocaleString("en-US");

export const plural = (count, name) => `${number(count)} ${name}${count === 1 ? "" : "s"}`;

export function duration(ms) {
  if (ms === null || ms === undefined || Number.isNaN(ms)) return "";
  if (ms < 1) return "< 1 ms";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.round(ms / 60000)} min`;
}

export function bytes(size) {
  if (size < 1024) return `${size} bytes`;
  if (size < 1024 * 1024) return `${(size / 1024).toFixed(1)} KB`;
  return `${(size / 1024 / 1024).toFixed(1)} MB`;
}

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without a secure context there is no clipboard: select a hidden field, as of old.
    const field = h("textarea", { value: text, style: "position:fixed;opacity:0" });
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}
