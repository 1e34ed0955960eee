import ApolloDirectives
import ApolloIR

/// The text from which the runtime's `__FieldTable` is made: the fields that are read by position, and the conditions
/// that are asked for by position.
struct FieldTableText {
  private var fields: [String] = []
  private var conditions: [String] = []
  private var typeKeys: [String] = []
  private var deferMarks: Int?
  private var hasFragments = false
  private var hasObjects = false
  private var hasAges = false
  /// The names of interfaces and unions that an object could be taken for by mistake. None of them is the type of an
  /// object.
  var abstractTypes: [String] = []
  /// Whether something else than an age is said that version 1 cannot say.
  private var needsVersion2 = false
  /// How old objects of the type may be that the fields are selected on, in seconds; nil if the type does not say it.
  var maxAge: Int?
  /// Whether the lowest age on the path to a field counts.
  var isLowestOnPath = false
  /// Whether the objects may be for one user.
  var isPrivate = false
  private var hasPrivateFields = false
  private var hasNulls = false
  private var fragmentArguments: [String] = []
  private var ownVariables: String?

  /// A field, whose position is the result.
  mutating func add(_ field: FieldMember) -> Int {
    var text = field.responseKey == field.name ? field.name : field.responseKey + ":" + field.name
    if let arguments = field.arguments { text += "(" + arguments + ")" }
    if let policy = field.policy {
      text += "@" + policy.keyArguments.joined(separator: ",") + ":" + policy.types.joined(separator: "|")
    } else if field.arguments != nil, let shape = field.shape {
      // A schema configuration may tell the key, and the type is a part of it.
      text += "@:" + shape.parentType.name
    }
    if let pagination = field.pagination {
      text += "%" + Self.text(pagination)
      needsVersion2 = true
    }
    if let position = field.keyPosition { text += position == 0 ? "!" : "!\(position)" }
    if field.type.leaf == .scalar(.id) { text += "#" }
    if field.isEmbedded {
      text += "~"
      needsVersion2 = true
    }
    if field.isLocal {
      text += "^"
      needsVersion2 = true
    }
    if let mark = field.age.mark {
      text += "<" + Self.text(mark) + ">"
      hasAges = true
    }
    if field.age.isPrivate {
      text += "-"
      hasPrivateFields = true
    }
    let nulls = field.thrownLevels.map(String.init) + (field.required.map { [Self.text($0)] } ?? [])
    if !nulls.isEmpty {
      text += "{" + nulls.joined(separator: ",") + "}"
      hasNulls = true
    }
    if field.shape != nil { hasObjects = true }
    fields.append(text)
    return fields.count - 1
  }

  mutating func addTypename() { fields.append("__typename") }

  /// The keys of objects, where they depend on their types.
  mutating func add(_ keys: [TypeKey]) {
    typeKeys += keys.map { "!" + $0.types.joined(separator: "|") + ":" + $0.fields.joined(separator: ",") }
    if !keys.isEmpty { needsVersion2 = true }
  }

  mutating func addFragment() { hasFragments = true }

  /// Adds a named fragment.
  ///
  /// - Returns: The position of its arguments; nil if it has none.
  mutating func add(_ fragment: FragmentMember) -> Int? {
    hasFragments = true
    guard let arguments = fragment.arguments else { return nil }
    let text = "$\(fragment.name)(\(arguments))"
    if let position = fragmentArguments.firstIndex(of: text) { return position }
    fragmentArguments.append(text)
    return fragmentArguments.count - 1
  }

  /// Adds the variables of the fragment whose table it is.
  mutating func add(_ variables: OwnVariables, of fragment: String) {
    ownVariables = "=\(fragment)(\(variables.defaults))" + variables.others.joined(separator: ",")
  }

  /// The position of a condition; nil for one that always holds.
  mutating func add(_ condition: Condition) -> Int? {
    condition.isAlways ? nil : addCondition(Self.text(condition))
  }

  /// The position of the condition that `@defer(if:)` is false, so that the fragment comes with its object.
  mutating func addSwitchedOff(by variable: String) -> Int { addCondition("?~$" + variable) }

  private mutating func addCondition(_ text: String) -> Int {
    if let position = conditions.firstIndex(of: text) { return position }
    conditions.append(text)
    return conditions.count - 1
  }

  /// The position at which a response says what became of deferred fragments.
  mutating func addDeferMarks() -> Int {
    hasFragments = true
    if let deferMarks { return deferMarks }
    fields.append("@defer")
    deferMarks = fields.count - 1
    return fields.count - 1
  }

  var text: String {
    let abstractTypes = abstractTypes.isEmpty ? [] : ["^" + abstractTypes.joined(separator: "|")]
    return
      (fields + (hasFragments ? ["..."] : []) + abstractTypes + typeKeys + conditions
      + fragmentArguments + (ownVariables.map { [$0] } ?? [])
      + (maxAge.map { ["<\($0)>"] } ?? [])
      + (isMarkedLowest ? ["<min>"] : []) + (isPrivate ? ["<private>"] : [])).joined(separator: " ")
  }

  /// The form of the text: 6 if fragments have variables, 5 if something is said of nulls, 4 if something is for one
  /// user, 3 if it has abstract types, 2 if it says something of ages, embedded objects, pages, local fields or the
  /// keys of types, else 1.
  var version: Int {
    if !fragmentArguments.isEmpty || ownVariables != nil || hasOwnConditions { return 6 }
    if hasNulls { return 5 }
    if isPrivate || hasPrivateFields { return 4 }
    if !abstractTypes.isEmpty { return 3 }
    return hasAges || maxAge != nil || isMarkedLowest || needsVersion2 ? 2 : 1
  }

  /// Whether a condition has a variable of a fragment.
  private var hasOwnConditions: Bool { conditions.contains { $0.utf8.contains(UInt8(ascii: ".")) } }

  private var isMarkedLowest: Bool { isLowestOnPath && (hasAges || maxAge != nil || hasObjects) }

  private static func text(_ pagination: Pagination) -> String {
    let letter =
      switch pagination.style {
      case .relay: "r"
      case .offset: "o"
      case .page: "p\(pagination.firstPage)"
      case .append: "a"
      case .key: "k"
      }
    return letter + (pagination.keepsPages ? "+" : "") + ":" + pagination.arguments.joined(separator: ",")
  }

  private static func text(_ action: RequiredAction) -> String {
    switch action {
    case .none: "none"
    case .log: "log"
    case .thrown: "throw"
    }
  }

  private static func text(_ mark: FieldAge.Mark) -> String {
    switch mark {
    case .own(let seconds): "\(seconds)"
    case .type(let seconds): ":\(seconds)"
    case .inherited: "="
    }
  }

  private static func text(_ condition: Condition) -> String {
    "?"
      + condition.terms.map { term in
        term.map { ($0.isNegated ? "!$" : "$") + $0.variable }.joined(separator: "&")
      }.joined(separator: "|")
  }
}
