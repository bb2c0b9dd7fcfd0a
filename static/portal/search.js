"use strict";
// Boxes that suggest names while one types (the ARIA pattern of a combobox with a list); without this script they are plain forms.
// A choice opens the suggested page; in a form with data-fill it sends the form with the public id of the choice.
document.querySelectorAll("form[data-suggest]").forEach((form) => {
  const input = form.querySelector("input[type=search]");
  const make = (name, attributes) => {
    const element = document.createElement(name);
    Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
    return element;
  };
  const attributes = { id: `${input.id}-suggestions`, class: "suggestions", role: "listbox", "aria-label": form.dataset.label, hidden: "" };
  const list = make("ul", attributes);
  const status = make("p", { role: "status", class: "hidden" });
  input.parentElement.append(list, status);
  const combobox = { role: "combobox", "aria-autocomplete": "list", "aria-controls": list.id, "aria-expanded": "false" };
  Object.entries(combobox).forEach(([key, value]) => input.setAttribute(key, value));

  let waiting, asking, chosen = -1;
  const options = () => [...list.children];
  const isOpen = () => !list.hidden;
  const open = (wanted) => {
    list.hidden = !wanted;
    status.className = "hidden";
    input.setAttribute("aria-expanded", String(wanted));
    if (!wanted) choose(-1);
  };
  const choose = (index) => {
    chosen = index;
    options().forEach((option, i) => option.setAttribute("aria-selected", String(i === index)));
    if (index < 0) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", options()[index].id);
    options()[index].scrollIntoView({ block: "nearest" });
  };
  const follow = (option) => {
    if (!("fill" in form.dataset)) return location.assign(option.dataset.address);
    input.value = option.dataset.publicId;
    form.requestSubmit();
  };

  const part = (name, text) => {
    const element = make("span", { class: name });
    element.textContent = text;
    return element;
  };
  const option = (one, index) => {
    const element = make("li", { id: `${input.id}-suggestion-${index}`, role: "option", "aria-selected": "false" });
    if (one.address) element.dataset.address = one.address;
    element.dataset.publicId = one.public_id;
    const rest = one.name.slice(one.bold.length);
    const name = part("suggested", one.native ? `${rest} ${one.native}` : rest);
    const bold = make("b", {});
    bold.textContent = one.bold;
    name.prepend(bold);
    element.append(name, " ", part("quiet", one.details));
    return element;
  };
  const show = (answer) => {
    list.replaceChildren(...answer.suggestions.map(option));
    status.textContent = answer.message;
    chosen = -1;
    open(answer.suggestions.length > 0);
    if (!answer.suggestions.length) status.className = "nothing"; // seen where there is no list to be seen
  };
  const stop = () => {
    clearTimeout(waiting);
    if (asking) asking.abort();
  };
  const addressOf = (text) => {
    const address = new URL(form.dataset.suggest, location.href);
    address.searchParams.set("q", text);
    return address;
  };
  const ask = async () => {
    asking = new AbortController();
    const { signal } = asking;
    try {
      const answer = await fetch(addressOf(input.value.trim()), { signal });
      if (answer.ok) show(await answer.json());
    } catch (error) {
      if (error.name !== "AbortError") open(false); // no connection: the form itself will tell
    }
  };
  input.addEventListener("input", (event) => {
    stop();
    if (event.isComposing) return;
    if (input.value.trim().length) waiting = setTimeout(ask, 150);
    else open(false);
  });
  input.addEventListener("compositionend", () => {
    stop();
    waiting = setTimeout(ask, 150);
  });

  const step = (by) => {
    if (!isOpen()) return options().length && input.value.trim() ? open(true) : undefined;
    const count = options().length + 1; // one place is the box itself
    choose(((chosen + 1 + by + count) % count) - 1);
  };
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      step(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter" && isOpen() && chosen >= 0) {
      event.preventDefault();
      follow(options()[chosen]);
    } else if (event.key === "Escape" && isOpen()) {
      event.preventDefault(); // the text stays; a second Escape clears it
      stop();
      open(false);
    }
  });
  input.addEventListener("blur", () => {
    stop();
    open(false);
  });
  form.addEventListener("submit", stop);
  list.addEventListener("pointerdown", (event) => event.preventDefault()); // the box keeps the focus
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) follow(option);
  });
});
