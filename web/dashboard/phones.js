// The sizes of the screens of phones, in CSS pixels, upright.

/** @typedef {{name: string, width: number, height: number}} Phone */

/** @type {Phone[]} */
export const PHONES = [
  { name: "iPhone 17", width: 402, height: 874 },
  { name: "iPhone 17 Pro Max", width: 440, height: 956 },
  { name: "iPhone SE", width: 375, height: 667 },
  { name: "Galaxy S25", width: 360, height: 780 },
  { name: "Pixel 9", width: 412, height: 924 },
  { name: "iPad", width: 820, height: 1180 },
];
