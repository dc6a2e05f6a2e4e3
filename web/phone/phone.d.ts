// The parameter of the function that the server makes from the files of phone/.

/** The phone that the page is to find. */
declare const phone: {
  /** The name, as `--like` has it. */
  name: string;
  isIOS: boolean;
  /** Whether what the phone lacks is hidden; otherwise its use is only reported. */
  hides: boolean;
  /** The values of `navigator`. */
  platform: string;
  vendor: string;
  userAgent: string;
  /** The paths of what the phone lacks, such as `Navigator.prototype.vibrate`, each with the first version that has it; empty if none has. */
  lacks: Record<string, string>;
};
