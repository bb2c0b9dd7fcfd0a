"use strict";
// Results and pairings that wait on this phone, in the order in which they were entered, and drafts of pairings; in localStorage.
// Other windows of this browser see the same queue. `goneText` is the problem of a result whose board does not exist.
const openHallQueue = (key, goneText) => {
  const read = () => { try { return JSON.parse(localStorage.getItem(key)) || []; } catch { return []; } };
  const write = (queue) => localStorage.setItem(key, JSON.stringify(queue));
  const change = (uuid, act) => write(read().flatMap((one) => (one.uuid === uuid ? act(one) : [one])));
  const makeId = () => crypto.randomUUID?.() ?? "10000000-1000-4000-8000-100000000000".replace(/[018]/g,
    (digit) => (digit ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (digit / 4)))).toString(16));

  // a draft of the pairings of a round survives a reload
  const draftOf = (round) => `${key}:pairings:${round}`;
  const readDraft = (round) => { try { return localStorage.getItem(draftOf(round)); } catch { return null; } };
  const writeDraft = (round, pairings) => {
    try { localStorage.setItem(draftOf(round), pairings); } catch { /* this browser stores nothing */ }
  };
  const removeDraft = (round) => localStorage.removeItem(draftOf(round));

  // results of boards whose pairings wait name the typed line, until the server has answered which board it became, if any
  const changeLines = (round, act) => write(read().map((one) => (one.line && one.round === round ? act(one) : one)));
  const seatLines = ({ round, pairings }, boards) => {
    const lines = waitingBoards.split(pairings), swapped = { first: "second", second: "first" };
    changeLines(round, ({ line, ...one }) => {
      const place = lines.indexOf(line), seat = boards[place];
      if (place < 0) return { ...one, line }; // its pairings were typed meanwhile
      if (!seat) return { ...one, line, problem: goneText };
      return { ...one, board: String(seat.board), code: (seat.swapped && swapped[one.code]) || one.code };
    });
  };
  const addResult = (result) => write([...read(), { uuid: makeId(), at: Date.now(), ...result }]);
  // pairings replace others of their round that wait; results of lines that they no longer have get a problem
  const addPairings = (entry) => {
    const others = read().filter((one) => !one.pairings || one.round !== entry.round), lines = waitingBoards.split(entry.pairings);
    write([...others, { uuid: makeId(), at: Date.now(), ...entry }]);
    changeLines(entry.round, ({ problem: _, ...one }) => (lines.includes(one.line) ? one : { ...one, problem: goneText }));
  };
  return { read, change, addResult, addPairings, seatLines, readDraft, writeDraft, removeDraft };
};
