// Service worker of pages that work without a connection: those of the hall, and the desks. Before it stand RELEASE,
// STATIC, PAGES (which addresses below its own are pages), PATIENCE (in milliseconds), and OWNED: the pages belong to a
// person. It answers for addresses below its own only, so no other page of the site is ever answered from here.
const SCOPE = new URL(self.registration.scope).pathname, PREFIX = `${SCOPE.replaceAll("/", "")}-`, CACHE = PREFIX + RELEASE;
const OWNER = "X-Offline-Owner", UNTIL = "X-Offline-Until";
const isPage = (path) => path.startsWith(SCOPE) && PAGES.test(path.slice(SCOPE.length));
const isStatic = (path) => path.startsWith(STATIC);
const isHashed = (path) => /\.[0-9a-f]{12}\.\w+$/.test(path);
const pathOf = (request) => new URL(request.url).pathname;

// pages of a person: kept while the server names their owner, and removed when it names another one or asks to sign in
const forget = async (cache, isKept = () => false) => {
  for (const request of await cache.keys()) {
    if (isPage(pathOf(request)) && !isKept(await cache.match(request))) await cache.delete(request);
  }
};
const keepOwned = async (cache, request, answer) => {
  const isAway = answer.type === "opaqueredirect" || answer.redirected || answer.status === 401;
  const owner = !isAway && answer.ok ? answer.headers.get(OWNER) : null;
  if (isAway) await forget(cache);
  else if (owner) {
    await forget(cache, (kept) => kept.headers.get(OWNER) === owner);
    await cache.put(request.url, answer.clone());
  } else if (answer.status < 500 && answer.status !== 429) await cache.delete(request.url);
};
const keep = async (request, answer) => {
  const cache = await caches.open(CACHE);
  if (OWNED && isPage(pathOf(request))) await keepOwned(cache, request, answer);
  else if (answer.ok && answer.type === "basic" && !answer.redirected) await cache.put(request.url, answer.clone());
  // who may no longer see a page does not see its copy either
  else if (answer.type === "opaqueredirect" || (answer.status >= 400 && answer.status < 500)) await cache.delete(request.url);
  return answer;
};
const stored = async (request, isSlow = false) => {
  const cache = await caches.open(CACHE), kept = await cache.match(request.url, { ignoreVary: true });
  if (!kept || !OWNED || !isPage(pathOf(request))) return kept;
  // a copy that came a moment ago from a slow server is the page itself
  if (isSlow && Date.now() - Date.parse(kept.headers.get("Date")) < PATIENCE + 20000) return kept;
  if (Number(kept.headers.get(UNTIL)) * 1000 > Date.now()) return mark(kept);
  await cache.delete(request.url);
  return undefined;
};
// the page learns from this that it is a copy
const mark = async (kept) => {
  const headers = new Headers(kept.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  return new Response((await kept.text()).replace("<html ", "<html data-kept "), { headers });
};
const fromNetwork = async (request) => {
  const slow = new Error("slow"), late = new Promise((_, fail) => setTimeout(fail, PATIENCE, slow));
  const answer = fetch(request).then((got) => keep(request, got));
  answer.catch(() => {});
  try {
    return await Promise.race([answer, late]);
  } catch (error) {
    return (await stored(request, error === slow)) || answer;
  }
};
const fromCache = async (request) => (await stored(request)) || fromNetwork(request);

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  const clean = async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(clean());
});
self.addEventListener("fetch", (event) => {
  const { request } = event, { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  // what a script of the page asks for is never an old copy: it must see that there is no connection
  if (isPage(pathname)) event.respondWith(request.mode === "navigate" ? fromNetwork(request) : fetch(request).then((got) => keep(request, got)));
  else if (isStatic(pathname)) event.respondWith(isHashed(pathname) ? fromCache(request) : fromNetwork(request));
});
// the page names what it needs: it was loaded before this worker
self.addEventListener("message", (event) => {
  const paths = event.data.filter((address) => isPage(new URL(address).pathname) || isStatic(new URL(address).pathname));
  const load = async (address) => {
    const request = new Request(address, { credentials: "same-origin" });
    if (isHashed(address) && (await stored(request))) return;
    try { await keep(request, await fetch(request)); } catch { /* the next page names it again */ }
  };
  event.waitUntil(Promise.all(paths.map(load)).then(() => event.source.postMessage("stored")));
});
