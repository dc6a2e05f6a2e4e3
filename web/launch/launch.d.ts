// The parameter of the function that the server makes from the files of launch/.

declare const launch: {
  /** Whether the document is the app in a frame of a test runner's page (`--framed-app`). */
  isApp: boolean;
};
