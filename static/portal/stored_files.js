"use strict";
// Stores dropped files in this browser until they are sent: one entry for the files that were dropped together.
const storedFiles = (() => {
  const open = () => new Promise((resolve, reject) => {
    const request = indexedDB.open("files", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("drops", { keyPath: "token" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const run = async (mode, act) => {
    const base = await open();
    return new Promise((resolve, reject) => {
      const transaction = base.transaction("drops", mode), request = act(transaction.objectStore("drops"));
      transaction.oncomplete = () => { base.close(); resolve(request.result); };
      transaction.onabort = transaction.onerror = () => { base.close(); reject(transaction.error); };
    });
  };
  const put = (drop) => run("readwrite", (drops) => drops.put(drop));
  const remove = (token) => run("readwrite", (drops) => drops.delete(token));
  // Return the entries of one person, oldest first, after removing all expired entries.
  const read = async (owner) => {
    const drops = await run("readonly", (all) => all.getAll()), now = Date.now();
    await Promise.all(drops.filter((drop) => drop.expires < now).map((drop) => remove(drop.token)));
    return drops.filter((drop) => drop.owner === owner && drop.expires >= now).sort((a, b) => a.at - b.at);
  };
  return { put, remove, read };
})();
