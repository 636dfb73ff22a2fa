extension ProsePattern {
  /// All patterns. If several match the same words, the first one is reported.
  static let all: [ProsePattern] = summaries + conditions + actors + subjects + words

  /// The start of a sentence.
  private static let start = #"(?:^|(?<=[.;:!?] ))"#

  // MARK: The beginning of a summary or of an item

  private static let summaries = [
    ProsePattern(
      "summary-question", in: .summary,
      #"^(?:What|Where|Who|Whom|Whose|How|Which|Why|Whatever|Whoever)\b(?![^.\n]*\?)"#,
      advice: #"start with a noun phrase ("The number of …") or a verb ("Returns …")"#),
    ProsePattern(
      "summary-whether", in: .summary, #"^Whether\b(?! to\b)"#,
      advice: #""A Boolean value that indicates whether …", "Returns whether …""#),
    ProsePattern(
      "summary-pronoun", in: .summary,
      #"^(?:It|Its|They|Their|Is|Are|Has|Have|That|Those|These|As|Of|Another|Others|So)\b"#,
      #"^(?:All|One) that\b"#,
      advice: #"name the thing, or start with a verb ("Sets …", "Asynchronous variant of …")"#),
    ProsePattern(
      "item-question", in: .item,
      #"^(?:What|Where|Who|Whom|Whose|How|Whatever|Whoever|As|That|Those)\b(?![^.\n]*\?)"#,
      advice: #""The …", "Any error that `body` throws", "The same errors as …""#),
  ]

  // MARK: Conditions

  /// Words after which "where" refers to a place.
  private static let placeWords = [
    "place", "places", "point", "points", "location", "locations", "position", "positions",
    "folder", "directory", "file", "files", "line", "lines", "case", "cases", "situation",
    "situations", "know", "knows", "see", "shows", "show", "here", "exactly", "from", "to", "of",
    "anywhere", "somewhere", "offset", "code", "site", "sites", "spot", "area", "areas", "context",
    "contexts", "scenario", "scenarios", "platform", "platforms", "determine", "decide",
    "indicates", "and/or", "is", "are", "stage", "step", "moment", "module", "modules", "scope",
    "page", "matters", "about", "on", "records", "marks", "remember", "remembers", "version",
    "versions", "environments", "systems", "example",
  ].joined(separator: "|")

  private static let conditions = [
    ProsePattern(
      "where-absent", #"\bwhere (?:there (?:is|are|was|were)|nothing|none|no|neither|nobody)\b"#,
      advice: #""if there is none", "if absent""#),
    ProsePattern(
      "where-condition",
      // A definition such as "where `n` is the count", and a clause of a language, are usual.
      #"\b(?-i:where)\b(?<!^where)(?<!\b(?:\#(placeWords)) where)(?= [\w¤])"#
        + #"(?! (?:¤+|_?[a-z]s?_?|each|keys) (?:is|are)\b)(?! clause)"#,
      #"(?<=[.;:!?] )(?-i:Where) (?:there|it|they|an?|the|no|one|this|that|nothing|¤+)(?= )"#,
      advice: #"a condition uses "if" or "when"; "where" is for places"#),
    ProsePattern(
      "is-so",
      #"\b(?:called|named|known|meant|written) so\b"#,
      #"\b(?:is|are|was|were|be) (?:not )?so(?=[.,;:)]|$)"#, #"\bnot so(?=[.,;:)]|$)"#,
      #"\band so (?:is|are|does|do|has|have|was|were|can|may)\b"#,
      advice: "repeat the verb or the condition"),
    ProsePattern(
      "is-there",
      #"\b(?:is|are|was|were|be|been) (?:not |still |already |no longer )?there"#
        + #"(?:(?=[.,;:)]|$)|(?= (?:already|before|again|and|or|when|if|at|for|in|after)\b))"#,
      advice: "exists, is present"),
    ProsePattern(
      "as-far-as", #"\b(?:as|so) far as\b"#, #"\bin so far\b"#, #"\binsofar\b"#,
      advice: #""to the extent that", "up to", "if""#),
    ProsePattern(
      "so-many", #"\b(?:so|as) (?:many|few)\b(?! as possible)"#,
      #"\bas much as\b(?! possible)"#, #"\bso much\b"#,
      advice: #""the same number of", "up to *n*", "at most""#),
  ]

  // MARK: Verbs that suit a person, not code

  private static let actors = [
    ProsePattern(
      "tell", #"\b(?:tells?|told|telling)\b"#, advice: "notify, report, distinguish, indicate"),
    ProsePattern(
      "say", #"(?<!to )\b(?:says?|said|saying)\b"#,
      advice: "specify, state, report, declare, indicate"),
    ProsePattern(
      "know", #"\b(?:knows|knew|known (?:of|about)|know of)\b"#,
      #"\b(?:nothing|what|all that|all|more|anything) is known\b"#,
      advice: #"store, record, track; "the recorded …""#),
    ProsePattern("hear", #"\b(?:hears?|heard)\b"#, advice: "is notified of, receives"),
    ProsePattern(
      "ask", #"\b(?:asks|asked|asking)\b"#, advice: #"request, query, call; "the requested …""#),
    ProsePattern(
      "let-go", #"\b(?:lets?|letting) (?:[\w¤']+ ){0,4}go\b(?! (?:through|to|back))"#,
      advice: "release"),
    ProsePattern(
      "give-back",
      #"\b(?:gives?|given|gave|giving|takes?|taken|took|taking|puts?|putting) (?:[\w¤']+ ){0,3}back\b"#,
      advice: "release, return, restore, reclaim"),
    ProsePattern("give", #"\b(?:gives|gave)\b(?! up)"#, advice: "return, produce, provide, yield"),
    ProsePattern(
      "look-at", #"\b(?:looks?|looked|looking) (?:at|through|into|on)\b"#,
      advice: "inspect, read, examine, check, search"),
    ProsePattern("see-to", #"\b(?:sees?|seeing|saw) to\b"#, advice: "ensure, handle"),
    ProsePattern(
      "have-do", #"\#(start)Has (?:the|an?|its|it|all|what|¤+) "#,
      #"\b(?:has|have) (?:the|an?|it|its|them|¤+) "#
        + #"(?:(?!(?:to|that|which|may|can|could|will|would|should|must|and|or)\b)[\w¤]+ ){0,2}"#
        + #"(?:be|do|go|know|tell|take|make|hold)\b"#,
      advice: "make, cause, set, schedule: a verb for the action itself"),
    ProsePattern(
      "stand", #"\b(?:stands|stood|standing)\b(?!-)"#,
      #"\bstand (?:in|at|before|after|behind|beside|there|between|on|for|by|around|under|where)\b"#,
      advice: "is, is located, is at, represents"),
    ProsePattern(
      "go", #"\b(?:goes|gone|went|going (?:on|by|past|through))\b"#,
      #"\b(?-i:go) (?:on|past|by|wrong|with|along|without)\b"#,
      advice: "continues, fails, is removed, is passed, is written"),
    ProsePattern(
      "come", #"\b(?:comes?|came|coming) (?:to|by|out|of|over|down|about|upon)\b"#,
      advice: "reaches, results in, is evaluated to, returns"),
    ProsePattern(
      "is-made",
      #"\b(?:is|are|was|were|be|been|being) made\b(?! (?:up|available|public|to|by|from)\b)"#
        + #"(?<!(?:calls?|attempt|changes?|request|guarantee|decision) \w{2,5} made)"#,
      advice: "is created, is built, is opened"),
    ProsePattern(
      "is-to-be",
      #"(?<!goal )(?<!idea )(?<!purpose )(?<!way )\b(?:is|are|was|were) (?:not )?to (?:be|have)\b"#,
      advice: #""should be", "must be", "will be""#),
    ProsePattern(
      "is-over", #"\b(?:is|are|was|were) over(?=[.,;:)]|$)"#, advice: "has finished, has ended"),
    ProsePattern(
      "turn", #"\b(?:its|their|whose|whoever's|the (?:reader|writer|waiter)'s) turn\b"#,
      advice: #""when it acquires the connection", "in order", "one at a time""#),
  ]

  // MARK: Subjects without a noun

  private static let subjects = [
    ProsePattern(
      "nobody", #"\b(?:nobody|no one|nobody's|whoever|whosoever|whomever)\b"#,
      advice: #"name the code: "no connection", "the caller""#),
    ProsePattern(
      "nothing", #"\#(start)(?-i:Nothing) (?:is|was|has|can|may|else|that|of|in|but|more|knows)\b"#,
      #"\bnothing (?:is|was|has|had|can|may|else|that|of|but|more|comes|runs|waits|changes)\b"#,
      #"\bfor nothing\b"#,
      advice: #"name the thing: "no row is …"; "does nothing" is fine"#),
    ProsePattern(
      "none", #"(?<!there )\b(?:is|are|was|were|be) none\b"#,
      #"\bnone (?:is|are|has|have|had|other|there|that|so)\b"#,
      advice: #""there is no …", "`nil`", "no row …""#),
    ProsePattern(
      "who",
      #"\bwho\b(?<!\b(?:people|person|users?|developers?|anyone|someone|those|authors?) who)"#
        + #"(?<!\b(?:contributors?|maintainers?|everyone|readers?|reviewers?|you) who)"#,
      advice: #"name the code: "the caller", "an observer that …"; people are "users who""#),
    ProsePattern(
      "what",
      #"\b(?-i:what)\b(?<!^what)(?<!\b(?:no matter|see|decides?|about) what)"#
        + #"(?! (?:if|to|happens|happened|happen|kinds?)\b)"#,
      advice: #"use a noun: "the value that …", "any error thrown by …""#),
    ProsePattern(
      "whatever", #"\b(?:whatever|whichever|however (?:it|they|he|many|much|long|deep))\b"#,
      advice: #""any", "regardless of""#),
    ProsePattern(
      "of-which", #"\bof (?:which|whom|what|whose)\b"#,
      advice: #"start a new sentence, or use "whose" or an adjective"#),
    ProsePattern(
      "those", #"\b(?:those|these|that) of\b(?! the following)"#,
      #"\bthose (?:that|which|in|with|by|it|they|from|on|to|without|whose)\b"#,
      advice: #"repeat the noun: "the columns of …", "the rows that …""#),
    ProsePattern(
      "all-that",
      #"\ball (?:that|there is|of what|it (?:is|has|was))\b(?! (?:code|data|work|information|time)\b)"#,
      advice: #""everything that", "all rows that""#),
    ProsePattern(
      "as-it-is", #"\bas (?:it|they) (?:is|are|was|were)\b(?! (?:needed|required|used))"#,
      advice: #""unchanged", "verbatim", "as stored"; or "while it is …""#),
    ProsePattern(
      "of-its-own", #"\bof (?:its|their|his|your|one's) own\b"#,
      advice: #""its own …", "a separate …", "a dedicated …""#),
    ProsePattern(
      "in-its-place", #"\bin (?:its|their|his|whose) (?:place|stead)\b"#,
      advice: #""instead", "as its replacement""#),
    ProsePattern(
      "of-chain", #"\bof (?:[\w¤'’-]+ ){1,3}of (?:[\w¤'’-]+ ){1,3}of\b"#,
      advice: #"use a possessive or an adjective: "the table's column names""#),
  ]

  // MARK: Words with a usual replacement

  private static let words = [
    ProsePattern(
      "behind",
      #"\bbehind\b(?<!\b(?:falls?|falling|fallen|lags?|left) behind)"#
        + #"(?! (?:the scenes|an? (?:lock|flag)|the lock|locks|¤+(?: flag)?[.,]))"#,
      advice: "after, below, backed by, underlying",
      allowed: [
        "commits behind": "the usual term for a delay",
        "bytes behind": "the usual term for a delay",
      ]),
    ProsePattern(
      "beside", #"\bbesides?\b"#, advice: "next to, in addition to, also, along with"),
    ProsePattern(
      "at-once",
      #"\bat once\b(?<!\b(?:all|them|several|rows|values|two|one|many|both|multiple) at once)"#,
      advice: #"immediately (or "at the same time")"#),
    ProsePattern("likewise", #"\blikewise\b"#, advice: "also, in the same way"),
    ProsePattern(
      "no-more", #"\bno more(?=[.,;:)]|$)"#, #"\b(?:is|are|was|were) no more\b(?! than)"#,
      #"\bany more(?:(?=[.,;:)]|$)|(?= (?:when|if|and|or|but)\b))"#, #"\bonce more\b"#,
      advice: "no longer, again"),
    ProsePattern("in-vain", #"\bin vain\b"#, advice: "without effect, unnecessarily"),
    ProsePattern(
      "midst", #"\bin the midst of\b"#, #"\bamidst\b"#, #"\bin the way of\b"#,
      #"\bspeaks? (?:against|for)\b"#, advice: #""during", "prevents""#),
    ProsePattern(
      "archaic",
      #"\b(?:anew|meanwhile|by now|hitherto|thereof|therein|thereby|whereby|wherein|lest)\b"#,
      #"\b(?:henceforth|as ever|of old|ere|whence|hence|thus far|nought|aught|alike)\b"#,
      #"\b(?:told apart|the like|becomes? of|became of|otherwise than)\b"#,
      #"\bfrom (?:here|then|there) on\b"#,
      advice: "again, concurrently, already, from then: the usual word"),
    ProsePattern(
      "alone", #"\balone\b(?!-)(?<!\b(?:let|leaves?|left) alone)(?<!stand-alone)"#,
      advice: #""only", "by itself""#),
    ProsePattern("texts", #"\btexts\b"#, advice: "strings, text values"),
  ]
}
