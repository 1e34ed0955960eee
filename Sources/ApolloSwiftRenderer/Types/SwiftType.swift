/// A type as Swift writes it.
indirect enum SwiftType: Hashable, Sendable {
  case named(String)
  /// `Hero.Friend`
  case member(String, of: SwiftType)
  case optional(SwiftType)
  case array(SwiftType)
  /// `GraphQLEnum<Episode>`
  case generic(String, SwiftType)
  /// `any AnyMock`
  case existential(String)

  var isOptional: Bool {
    if case .optional = self { true } else { false }
  }

  /// The optional type; the type itself if it is optional.
  var asOptional: SwiftType { isOptional ? self : .optional(self) }

  var unwrapped: SwiftType {
    if case .optional(let type) = self { type } else { self }
  }

  /// The names that it is written with.
  var names: Set<String> {
    switch self {
    // A configuration may write a type with its module, which a type would hide as well.
    case .named(let name): Set(TypeText.outermostNames(in: name) + [name])
    case .existential(let name): [name]
    case .member(let name, let owner): owner.names.union([name])
    case .optional(let type), .array(let type): type.names
    case .generic(let name, let argument): argument.names.union([name])
    }
  }

  /// The type inside of all optionals, lists and generic arguments.
  var leaf: SwiftType {
    switch self {
    case .named, .member, .existential: self
    case .optional(let type), .array(let type), .generic(_, let type): type.leaf
    }
  }

  /// The type with other types in place of those that are written without a parent.
  func renamed(_ rename: (String) -> SwiftType) -> SwiftType {
    switch self {
    case .named(let name): rename(name)
    case .member(let name, let owner): .member(name, of: owner.renamed(rename))
    case .optional(let type): .optional(type.renamed(rename))
    case .array(let type): .array(type.renamed(rename))
    case .generic(let name, let type): .generic(name, type.renamed(rename))
    case .existential: self
    }
  }

  /// The type as it is written outside of the struct that declares these names.
  func nested(in scope: SwiftType, declaring names: Set<String>) -> SwiftType {
    switch self {
    case .named(let name): names.contains(name) ? .member(name, of: scope) : self
    case .member(let name, let owner): .member(name, of: owner.nested(in: scope, declaring: names))
    case .optional(let type): .optional(type.nested(in: scope, declaring: names))
    case .array(let type): .array(type.nested(in: scope, declaring: names))
    case .generic(let name, let type): .generic(name, type.nested(in: scope, declaring: names))
    case .existential: self
    }
  }
}

extension SwiftType: CustomStringConvertible {
  var description: String {
    switch self {
    case .named(let name): name
    case .member(let name, let owner): "\(owner).\(name)"
    case .optional(.existential(let name)): "(any \(name))?"
    case .existential(let name): "any \(name)"
    case .optional(let type): "\(type)?"
    case .array(let element): "[\(element)]"
    case .generic(let name, let argument): "\(name)<\(argument)>"
    }
  }
}
