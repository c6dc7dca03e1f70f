// tools/profile-types.mjs makes this file from profile.schema.json.

/** A mapping profile: how payloads are rewritten. docs/profile.md explains every key. */
export type ProfileDocument = {
  /** For editors; it has no effect. */
  $schema?: string;
  /** The version of this format. */
  version?: 1;
  /** For people. */
  name?: string;
  /** For people, and for the list of loaded profiles. */
  description?: string;
  /** One spelling for all keys that no rename changes. */
  keys?: ProfileKeyCase | ProfileKeys;
  /** New keys by selector. All renames happen at the same time, so two keys can be swapped. */
  rename?: Record<string, string | {
    pattern: string;
  }>;
  /** A format alone scans every string. Rules with `at` say where dates are. */
  dates?: ProfileDateForm | ProfileDateRule | ProfileDateRule[];
  /** Rules for single values. */
  values?: ProfileValueRule | ProfileValueRule[];
  /** Paths that stay, with everything below them. Everything else is removed. An object has selectors of objects, and which of their keys stay. */
  keep?: ProfileSelector | ProfileKeepScopes | (ProfileSelector | ProfileKeepScopes)[];
  /** Paths that are removed, with everything below them. Wins over `keep`. */
  drop?: ProfileSelectors;
  /** Paths that every payload must have. */
  require?: ProfileRequiredPath | ProfileRequiredPath[];
  /** Target paths by source path. Only the path that both start with may contain `*`. An object has moves below its path. */
  move?: Record<string, ProfilePath | Record<string, ProfilePath>>;
  /** Objects whose keys and values move into the object around them. With `prefix` or `names`, the inverse puts them back. */
  flatten?: ProfileFlattenRule | ProfileFlattenRule[];
  /** The path of the value that becomes the document, without `*`. */
  unwrap?: ProfileNamedPath;
  /** The key or path of the output in a new object. `with` has other keys of that object. */
  wrap?: ProfileWrapPath | {
    at: ProfileWrapPath;
    with?: Record<string, unknown>;
  };
  /** Values for paths of the output that are missing. */
  defaults?: Record<string, unknown>;
  /** Empty values that are removed, from the inside out. */
  prune?: {
    /** The default is `false`. */
    null?: boolean;
    /** The default is `false`. */
    emptyString?: boolean;
    /** The default is `false`. */
    emptyArray?: boolean;
    /** The default is `false`. */
    emptyObject?: boolean;
    /** Whether elements of arrays are removed too. The default is `false`. */
    inArrays?: boolean;
  };
  /** The records of a payload, and what happens to a bad one. */
  records?: {
    /** Not needed for NDJSON. */
    at?: ProfilePath;
    /** The default is `"fail"`. */
    onError?: "fail" | "skip" | "null";
  };
  /** What happens if data could be lost. */
  on?: {
    /** Two keys of the output are equal. `keep` writes both. */
    collision?: ProfileClash;
    /** Two keys of the input are equal. `keep` writes both. */
    duplicateKey?: ProfileClash;
    /** A value breaks its rule. The default is `"error"`. */
    badValue?: "error" | "keep" | "null";
    /** A key that the inverse direction cannot restore. The default is `"keep"`. */
    lossyKey?: "keep" | "error";
  };
  output?: {
    /** Spaces for each level. The default is `0`. */
    indent?: number;
    /** The default is `false`. */
    sortKeys?: boolean;
    /** The default is `"preserve"`. */
    escapes?: "preserve" | "minimal" | "ascii";
  };
  /** With `required`, a rule that cannot be undone is an error in the profile, and a payload that would not come back is refused. The default is `"ignore"`. */
  roundTrip?: "ignore" | "required";
  /** Payloads and their results; `convert-server check` runs them. */
  examples?: ({
    in: unknown;
    out: unknown;
  })[];
};

/** With a leading `/`, a path from the root (`*` is one key or index, `**` any number of levels). Otherwise a key at any depth (`*` is any characters). `~0` `~1` `~2` are `~` `/` `*`. */
export type ProfileSelector = string;

export type ProfileSelectors = ProfileSelector | ProfileSelector[];

/** A path without `**`. */
export type ProfilePath = string;

export type ProfileKeepScopes = Record<string, ProfileKeptMember | ProfileKeptMember[]>;

/** A key, or a path that leads on from the object. */
export type ProfileKeptMember = string;

export type ProfileFlattenRule = ProfilePath | {
  at: ProfilePath;
  /** The beginning of the new keys. */
  prefix?: string;
  /** The output keys that the inverse puts back into the object. */
  names?: string | string[];
};

/** A path of keys. */
export type ProfileNamedPath = string;

/** A key, or with a leading `/` a path of keys. */
export type ProfileWrapPath = string;

/** A path without `**` that does not end in `*`. */
export type ProfileRequiredPath = string;

/** The default is `"error"`. */
export type ProfileClash = "error" | "first" | "last" | "keep";

export type ProfileKeyCase = "camelCase" | "PascalCase" | "snake_case" | "SCREAMING_SNAKE_CASE" | "kebab-case" | "Train-Case" | "dot.case" | "flatcase" | "preserve";

export type ProfileKeys = {
  /** The default is `"preserve"`. */
  case?: ProfileKeyCase;
  /** The case of the input, for the inverse direction. */
  from?: ProfileKeyCase;
  /** Words that stay together. `common` adds the usual ones, such as ID and URL. */
  acronyms?: "common" | string[];
  /** The default is `"title"`. */
  acronymStyle?: "title" | "asListed";
  /** With `word`, digits after a letter are a word of their own. The default is `"join"`. */
  digits?: "join" | "word";
  /** Keys that stay as they are. */
  except?: ProfileSelectors;
  /** Paths below which no key changes. */
  opaque?: ProfileSelectors;
};

export type ProfileDatePattern = {
  /** Unicode date letters. */
  pattern: string;
};

export type ProfileDateForm = "rfc3339" | "date" | "epoch-s" | "epoch-ms" | "epoch-us" | "epoch-ns" | "rfc2822" | "http-date" | "dotnet-json" | "dotnet-ticks" | "filetime" | "apple-s";

export type ProfileWrittenDate = ProfileDateForm | ProfileDatePattern;

export type ProfileReadDate = ProfileWrittenDate | "auto" | "iso8601" | "asctime";

export type ProfileZone = string;

export type ProfileDateRule = {
  /** Where the dates are. Without it, all strings are scanned. */
  at?: ProfileSomeSelectors;
  /** The formats of the input, `auto` by default. The inverse direction writes the first one. */
  from?: ProfileReadDate | ProfileReadDate[];
  /** The default is `"rfc3339"`. */
  to?: ProfileWrittenDate;
  /** Digits of the fraction, with `rfc3339` only. */
  precision?: number;
  /** Time zone of the output. The default is `"UTC"`. */
  zone?: ProfileZone;
  /** Time zone of an input that has none. With `reject`, such an input is a bad value. The default is `"reject"`. */
  assumeZone?: ProfileZone;
  badValue?: ProfileBadValue;
};

/** What happens to a value that the rule does not accept. Without it, `on` decides. */
export type ProfileBadValue = "error" | "keep" | "null";

export type ProfileSomeSelectors = ProfileSelector | ProfileSelector[];

export type ProfileValueRule = {
  at: ProfileSomeSelectors;
  as?: "string" | "number" | "integer" | "boolean" | "uuid" | "url" | "json" | "mask" | "hash" | "name" | "path" | "names" | "pointer";
  /** The new value for each value. */
  map?: Record<string, string | number | boolean | null>;
  badValue?: ProfileBadValue;
  /** With `uuid`. The default is `"lower"`. */
  case?: "lower" | "upper";
  /** With `url`: scheme and host. */
  relativeTo?: string;
  /** With `mask`: what is written for a value. The default is `"***"`. */
  text?: string;
  /** With `mask`: how many characters of a string or number stay. The others are covered one by one. */
  keep?: {
    /** The default is `0`. */
    first?: number;
    /** The default is `0`. */
    last?: number;
  };
  /** With `mask` and `keep`: the character that covers another one. The default is `"*"`. */
  char?: string;
  /** With `hash`: where the secret key is, an environment variable or a file. */
  key?: {
    env?: string;
    /** Relative to the current directory of the process. */
    file?: string;
  };
  /** With `name`, `path` and `names`: the object from which the path starts, the document by default. */
  of?: ProfilePath;
  /** With `path` and `names`: what is between two keys. The default is `"."`. */
  separator?: string;
  /** With `hash`: how many bytes of the code are written. The default is `32`. */
  bytes?: number;
};
