"use strict";
// Boards in the hall: a tap is on the phone before it is shown, and stays there until the server has it.
(() => {
  const hall = document.getElementById("hall");
  if (!hall) return;
  const texts = hall.dataset, KEY = `hall:${texts.event}`, PAUSE = 5000, POLL = 15000, LONGEST = 60000;
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  const { read, change, addResult, addPairings, seatLines, readDraft, writeDraft, removeDraft } = openHallQueue(KEY, texts.gone);

  // what is shown: the server's page, and over it the results of the queue
  const state = { since: null, isEnded: false, isRefused: false, sending: null };
  const formOf = (one) => (one.line ? waitingBoards.find(one) : document.querySelector(`form[data-board="${one.board}"]`));
  const press = (form, code) => {
    const board = form.querySelector(".board");
    board.dataset.code = code === "clear" ? "" : code;
    for (const button of board.querySelectorAll("button")) {
      const isPressed = button.dataset.result === code;
      button.setAttribute("aria-pressed", isPressed);
      button.value = isPressed ? "clear" : button.dataset.result;
    }
  };
  // pairings typed for a round without any: the draft survives a reload, a sent one waits in the queue
  const showPairings = (queue) => {
    const form = document.querySelector("form[data-pairs]");
    if (!form) return waitingBoards.show("");
    const one = queue.find((each) => each.pairings && each.round === form.dataset.pairs), field = form.elements.pairings;
    field.value ||= readDraft(form.dataset.pairs) ?? one?.pairings ?? "";
    form.querySelector("[data-pairs-state]").textContent =
      !one || one.problem ? "" : one.uuid === state.sending ? texts.sending : texts.onPhone;
    waitingBoards.show(document.querySelector("[data-live=boards] .board") ? "" : (one?.pairings ?? ""));
  };
  const forgetPairings = ({ round, pairings }) => {
    const field = document.querySelector(`form[data-pairs="${round}"] textarea`);
    if (readDraft(round) === pairings) removeDraft(round);
    if (field?.value === pairings) field.value = "";
  };
  const showQueue = () => {
    const queue = read();
    showPairings(queue);
    document.getElementById("tap-hint")?.toggleAttribute("hidden", !document.querySelector(".board"));
    for (const form of waitingBoards.all()) press(form, form.querySelector(".bye") ? "first" : "clear");
    for (const one of queue) {
      const form = formOf(one);
      if (!form || one.problem) continue;
      const isQuestion = form.querySelector(".board").classList.contains("ask");
      if (!isQuestion || one.decides) {
        press(form, one.code);
        form.querySelector(".board").classList.remove("ask");
        form.querySelector(".decide")?.remove();
      }
      const end = form.parentElement.querySelector(".top .end");
      end.replaceChildren(Object.assign(document.createElement("span"), {
        textContent: one.uuid === state.sending ? texts.sending : texts.onPhone }));
    }
    countRound();
    showConnection(queue.filter((one) => !one.problem));
    showLeft(queue);
  };
  const countRound = () => {
    const boards = [...document.querySelectorAll(".board")];
    const isWaiting = waitingBoards.all().length > 0;
    if (isWaiting) document.querySelector(".rounds [aria-current] .unpaired")?.replaceWith(document.createElement("small"));
    const small = document.querySelector(".rounds [aria-current] small"), missing = document.querySelector(".hall-foot > .small");
    if (isWaiting && missing) missing.textContent = texts.onPhone;
    const results = boards.filter((board) => board.dataset.code).length;
    if (small && read().length && (isWaiting || results < boards.length)) small.textContent = fill(texts.count, { results, boards: boards.length });
  };
  const say = (waiting) => {
    const count = waiting.filter((one) => !one.pairings).length;
    const rounds = waiting.filter((one) => one.pairings).map((one) => one.round).join(", ");
    const [one, many, pairs] = state.isEnded ? [texts.keptOne, texts.keptMany, texts.keptPairs] : [texts.one, texts.many, texts.pairs];
    const results = !count ? [] : [count === 1 ? one : fill(many, { count })];
    return [...results, ...(rounds ? [fill(pairs, { rounds })] : [])].join(" ");
  };
  const showConnection = (waiting) => {
    const line = document.getElementById("connection"), phone = document.querySelector("[data-waiting]");
    if (phone && waiting.length) phone.textContent = say(waiting);
    if (!line) return;
    const time = state.since && state.since.toTimeString().slice(0, 5);
    const why = state.isEnded ? texts.ended : !time ? "" : state.isRefused ? texts.slow : fill(texts.offline, { time });
    const strong = Object.assign(document.createElement("b"), { textContent: why });
    if (line.hidden === !why && line.textContent === `${why} ${say(waiting)}`) return;
    line.querySelector("span").replaceChildren(strong, ` ${say(waiting)}`);
    line.hidden = !why;
  };
  const showLeft = (queue) => {
    const list = document.getElementById("refused");
    const left = queue.filter((one) => one.problem || state.isEnded || texts.endedPage);
    list.hidden = !left.length;
    list.replaceChildren(...left.map((one) => {
      const item = document.createElement("li");
      item.append(`${one.text} ${one.problem ? `– ${one.problem} ` : ""}`);
      if (one.problem) {
        const button = Object.assign(document.createElement("button"), { type: "button", className: "quiet small", textContent: texts.remove });
        button.addEventListener("click", () => {
          change(one.uuid, () => []);
          if (one.pairings) {
            forgetPairings(one);
            seatLines(one, []);
          }
          showQueue();
        });
        item.append(button);
      }
      return item;
    }));
  };

  class Refused extends Error {} // the server answers, but not now: it is busy or being changed
  // sending: one result after the other, by one window at a time
  const token = () => document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";
  const post = (one) => {
    const body = new FormData(), names = one.pairings ? ["pairings", "unpaired"] : ["board", "code", "seen", "uuid"];
    for (const name of names) body.append(name, one[name]);
    if (one.decides) body.append("decides", "1");
    return fetch(one.address ?? texts.address, { method: "POST", body, headers: { Accept: "application/json", "X-CSRFToken": token() } });
  };
  const send = async () => {
    let isStored = false;
    for (let one; (one = read().find((each) => !each.problem && !each.line)) && !state.isEnded; ) {
      state.sending = one.uuid;
      showQueue();
      let answer = await post(one);
      if (answer.status === 403 && (await refresh())) answer = await post(one);
      if (answer.ok && !answer.redirected) {
        if (one.pairings) await replacePairings(one, await answer.json());
        change(one.uuid, () => []);
      } else if (answer.status === 409) {
        const { problem, boards } = await answer.json();
        if (boards?.length) seatLines(one, boards);
        change(one.uuid, (refused) => [{ ...refused, problem }]);
      } else if ([401, 403, 410].includes(answer.status) || answer.redirected) state.isEnded = true;
      else throw new Refused(answer.status);
      isStored = true;
    }
    state.sending = null;
    return isStored;
  };
  // the pairings stay in the queue until the pages have their boards; if that fails, they are sent again, which changes nothing
  const replacePairings = async (one, { boards }) => {
    await fetch(`${texts.page}?round=${one.round}`, { cache: "no-store" }); // for the copy that the service worker keeps
    forgetPairings(one);
    await refresh();
    seatLines(one, boards);
  };
  const sendAlone = () => (navigator.locks ? navigator.locks.request(KEY, send) : send());
  let isRunning = false, isAgain = false, timer, pause = PAUSE;
  const workLater = (milliseconds) => { clearTimeout(timer); timer = setTimeout(work, milliseconds); };
  const work = async () => {
    if (isRunning) { isAgain = true; return; }
    isRunning = true;
    try {
      do {
        isAgain = false;
        await sendAlone();
        await refresh();
      } while (isAgain);
      state.since = null;
      pause = PAUSE;
    } catch (error) {
      state.since ??= new Date();
      state.isRefused = error instanceof Refused;
      workLater(pause);
      pause = state.isRefused ? Math.min(2 * pause, LONGEST) : PAUSE;
    }
    isRunning = false;
    state.sending = null;
    showQueue();
  };

  // the page as the server has it now; false if it no longer may be seen
  const refresh = async () => {
    const answer = await fetch(location.pathname + location.search, { cache: "no-store" });
    if (answer.status >= 500 || answer.status === 429) throw new Refused(answer.status);
    state.isEnded = !answer.ok || answer.redirected;
    if (state.isEnded) return false;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html"), focus = document.activeElement?.id;
    for (const part of document.querySelectorAll("[data-live]")) {
      const fresh = page.querySelector(`[data-live="${part.dataset.live}"]`);
      if (fresh && !part.contains(document.querySelector("input:focus, textarea:focus")) && !part.querySelector("textarea")?.value) part.replaceChildren(...fresh.childNodes);
    }
    const left = document.querySelector(".rounds [aria-current]");
    left?.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
    document.dispatchEvent(new Event("refreshed"));
    showQueue();
    return true;
  };

  const describe = (form, code) => {
    const name = form.querySelector(`[data-result="${code}"]`)?.dataset.name;
    const result = name ? fill(texts.first, { name }) : texts[code] ?? code;
    return fill(texts.round, { round: form.dataset.round, board: form.dataset.number, result });
  };
  const keepPairings = (event, form) => {
    const round = form.dataset.pairs, pairings = form.elements.pairings.value, address = form.getAttribute("action");
    const text = fill(texts.paired, { round, pairings: pairings.trim().replace(/\s*\n\s*/g, "; ") });
    try {
      addPairings({ round, pairings, unpaired: 1, address, text });
    } catch {
      return;
    }
    event.preventDefault();
    showQueue();
    work();
  };
  document.addEventListener("input", ({ target }) => {
    const form = target.closest("form[data-pairs]");
    if (form) writeDraft(form.dataset.pairs, target.value);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target, button = event.submitter;
    if (form.dataset.pairs) return keepPairings(event, form);
    if (!form.dataset.board || !button) return;
    const decides = button.name === "decide", code = decides ? button.value
      : button.getAttribute("aria-pressed") === "true" ? "clear" : button.dataset.result;
    const { board, seen, line, round } = form.dataset, place = line ? { line, round } : { board };
    try {
      addResult({ ...place, seen, code, decides, text: describe(form, code) });
    } catch {
      return; // this browser stores nothing: the form is sent as without this script
    }
    event.preventDefault();
    showQueue();
    work();
  });

  // the service worker stores this page, those of the other rounds, and what they need
  const store = async () => {
    if (!navigator.serviceWorker) return;
    await navigator.serviceWorker.register(texts.worker);
    const { active } = await navigator.serviceWorker.ready;
    navigator.serviceWorker.addEventListener("message", () => { hall.dataset.stored = "1"; });
    const pages = [...document.querySelectorAll(".rounds a")].map((link) => link.href);
    const files = performance.getEntriesByType("resource").map((entry) => entry.name);
    active.postMessage([location.href.split("#")[0], location.origin + texts.page, ...pages, ...files.filter((file) => file.startsWith(location.origin))]);
  };

  const form = document.querySelector("form[data-pairs]"), typed = form?.elements.pairings.value;
  if (typed && readDraft(form.dataset.pairs) === null) writeDraft(form.dataset.pairs, typed); // typed before this script ran
  showQueue();
  if (texts.endedPage) return;
  store().catch(() => {});
  if (read().length || !navigator.onLine) work();
  setInterval(() => { if (document.visibilityState === "visible" && !state.since) work(); }, POLL);
  addEventListener("online", work);
  addEventListener("offline", () => { state.since ??= new Date(); showQueue(); workLater(PAUSE); });
  addEventListener("storage", (event) => { if (event.key === KEY) showQueue(); });
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") work(); });
})();
