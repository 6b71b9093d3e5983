// Light or dark: the notebook's own word first, then the system's.

function luminance(colour) {
  const parts = colour.match(/[\d.]+/g);
  if (!parts || parts.length < 3) return null;
  const [red, green, blue, alpha = 1] = parts.map(Number);
  return alpha < 0.1 ? null : (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
}

export function isDark(element) {
  const told = document.body.dataset.jpThemeLight;
  if (told) return told === "false";
  if (document.body.classList.contains("vscode-dark") || document.documentElement.classList.contains("dark")) return true;
  if (document.body.classList.contains("vscode-light")) return false;
  if (getComputedStyle(document.body).getPropertyValue("--jp-layout-color0").trim()) {
    const probe = document.createElement("i");
    probe.style.color = "var(--jp-layout-color0)";
    element.append(probe);
    const light = luminance(getComputedStyle(probe).color);
    probe.remove();
    if (light !== null) return light < 0.5;
  }
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

export function followTheme(root, model, changed) {
  const apply = () => {
    const chosen = model.get("theme");
    const dark = chosen === "dark" || (chosen !== "light" && isDark(root));
    const theme = dark ? "dark" : "light";
    if (root.dataset.theme !== theme) { root.dataset.theme = theme; changed(); }
  };
  const observer = new MutationObserver(apply);
  observer.observe(document.body, { attributes: true, attributeFilter: ["class", "data-jp-theme-light", "data-jp-theme-name"] });
  const query = matchMedia("(prefers-color-scheme: dark)");
  query.addEventListener("change", apply);
  model.on("change:theme", apply);
  apply();
  return () => {
    observer.disconnect();
    query.removeEventListener("change", apply);
    model.off("change:theme", apply);
  };
}
