import ApolloDirectives
import ApolloIR

/// A selection set as a Swift struct, with all names chosen. The renderers only write it down.
struct StructPlan {
  enum Role {
    /// The root of an operation.
    case root
    /// The objects of a field.
    case object
    case namedFragment
    /// The struct of an inline fragment, which also holds the members of the enclosing struct.
    case inlineFragment
  }

  enum Typename {
    case none
    case stored
    /// It is read from the fragment that this property holds.
    case forwarded(to: String)
    /// It is a constant: the object always has this type.
    case constant(String)
  }

  var name: String
  var role: Role
  /// The type of the objects in the schema.
  var parentType: String
  var documentation: [String] = []
  var typename = Typename.none
  /// The properties that the enclosing struct passes to it.
  var inherited: [PropertyPlan] = []
  /// The properties that are read in this struct, in order.
  var properties: [PropertyPlan] = []
  /// The fields that are read for the key of an object only.
  var keyFields: [KeyFieldPlan] = []
  var forwarders: [ForwarderPlan] = []
  /// What `fragments` has, where the property of a fragment has another name than there, because a field has it; otherwise
  /// empty: `fragments` is the struct itself.
  var fragmentContainer: [ForwarderPlan] = []
  /// The selected members, in the order of the document.
  var order: [MemberKey] = []
  /// The structs for the members that exist under a condition.
  var conditionalParts: [ConditionalPartPlan] = []
  /// Types that other structs declare, under the names that they would have here.
  var aliases: [AliasPlan] = []
  var nested: [StructPlan] = []
  /// Whether initializers take the name of the object's type last, with the type of the field as its default, as in
  /// Apollo iOS 0.x. Otherwise they take it first, and it has to be given.
  var guessesTypename = false
  /// The initializers that have the object's type of one of its parts.
  var partInitializers: [PartInitializerPlan] = []
  var flatInitializer: InitializerPlan?
  /// The text of the `__FieldTable`.
  var fieldTable = ""
  /// The version of the text's form.
  var fieldTableVersion = 1
  var isHashable = true
  var isSendable = true
  var isIdentifiable = false

  var stored: [PropertyPlan] { inherited + properties }

  /// The stored properties, by the members that they hold: there may be hundreds of fragments to look for.
  var storedByKey: [MemberKey: PropertyPlan] { Dictionary(stored.map { ($0.key, $0) }) { first, _ in first } }

  /// Whether objects may have different types.
  var hasVariableTypename: Bool {
    switch typename {
    case .stored, .forwarded: true
    case .none, .constant: false
    }
  }

  /// Whether it is an inline fragment that tells objects apart by an identifier which the selection set around it does
  /// not have.
  var hasOwnIdentifier: Bool {
    guard isIdentifiable else { return false }
    let owner = forwarders.first { $0.name == "id" }?.owner ?? "id"
    return properties.contains { $0.name == owner }
  }
}

/// A stored property.
struct PropertyPlan {
  enum Source {
    /// The position in the field table.
    case field(Int)
    /// A named fragment, with the position of its arguments in the field table.
    case fragment(arguments: Int?)
    /// An inline fragment, with the keys of the properties that it is passed.
    case inlineFragment([MemberKey])
    case deferred(DeferredRead)
  }

  /// How a fragment with `@defer` is read.
  struct DeferredRead {
    var label: String
    /// The position of the marks in the field table.
    var marks: Int
    /// The position of the condition that it is not deferred.
    var switchedOff: Int?
    /// Whether it is never deferred.
    var isSwitchedOff: Bool
  }

  /// The member of the selection set, by which fragments are compared.
  var key: MemberKey
  /// The name, without backticks.
  var name: String
  /// The name of the stored property, if it is another one: see ``storage``.
  var hiddenName = ""
  /// The type, which is optional if there is a condition.
  var type: SwiftType
  /// The type without the optional that a condition adds.
  var unconditionalType: SwiftType
  var source: Source
  /// The types whose objects have it, if it is an inline fragment that tells their type.
  var typeCase: TypeCase?
  /// Whether it is an inline fragment whose struct stores `__typename`, too.
  var handsTypename = false
  /// The condition under which the object has the member, apart from its type.
  var presence = Condition.always
  /// The parts of other properties that are set together with this one.
  var mirrors: [MirrorPlan] = []
  /// The position of this condition in the field table.
  var condition: Int?
  /// The type set that the object has to be in.
  var typeSet: SwiftType?
  var documentation: [String] = []
  var deprecation: String?
  /// Whether it is a scalar field that every object has, and whose values can be hashed.
  var canIdentify = false
  /// How old the value of a field may be.
  var age = FieldAge()
  var isHashable = true
  var isSendable = true

  /// Whether it is nil if the object does not have the member.
  var isConditional: Bool { !isDeferred && (condition != nil || typeSet != nil) }

  var isDeferred: Bool {
    if case .deferred = source { true } else { false }
  }

  /// Whether it is a named fragment that every object has.
  var isUnconditionalFragment: Bool {
    if case .fragment = source { !isConditional } else { false }
  }

  /// Whether it is a named fragment that not every object has.
  var isOptionalFragment: Bool {
    if case .fragment = source { isConditional } else { false }
  }

  var isInlineFragment: Bool {
    if case .inlineFragment = source { true } else { false }
  }

  /// Members other than fields that may be absent are boxed.
  var isIndirect: Bool {
    if case .field = source { return false }
    return isConditional
  }

  /// The stored property. The property itself is computed from it if it is boxed, if it is set with others, or if its
  /// field is deprecated and generated code must use it without warnings.
  ///
  /// `__Indirect` is not applied as a property wrapper, because the compiler does not allow one in a type that is not
  /// isolated, in a module that is isolated by default.
  var storage: String { deprecation == nil && !isIndirect && !isMirroredFragment ? name : hiddenName }

  /// Whether it is a fragment that is set with other properties. (Fields are observed instead.)
  private var isMirroredFragment: Bool {
    if case .fragment = source { !mirrors.isEmpty } else { false }
  }

  /// The property from which generated code takes the value.
  var value: String { isIndirect ? name : storage }

  /// The escaped name by which other types use it. If the field is deprecated, it is the stored property, which causes
  /// no warning.
  var path: String { Identifier.escaped(deprecation == nil ? name : storage) }

  /// The property as a member to which another type can forward.
  var export: ExportPlan {
    ExportPlan(
      key: key, name: name, type: type, member: path, isSettable: true, documentation: documentation,
      deprecation: deprecation, presence: presence, canIdentify: canIdentify, age: age)
  }
}

/// A field that the document does not select: the cache tells objects apart by it. Its property is private.
struct KeyFieldPlan {
  /// The name of the property.
  var name: String
  /// The type, which is optional because the field is a part of the keys of some types.
  var type: SwiftType
  /// The position in the field table.
  var position: Int
}

/// A part of a property that another property holds as well, and that is set together with it.
struct MirrorPlan {
  /// The other property.
  var target: MemberKey
  /// The path to the inline fragment of the other property that has the part, if one has it.
  var targetContainer: String?
  /// The path to the part in the other property, or in its inline fragment; nil if it is the whole property.
  var targetMember: String?
  /// The path to the inline fragment of the property that is set, if one has the part.
  var container: String?
  /// The path to the part in the property that is set, or in its inline fragment; nil if it is the whole property.
  var member: String?
  /// Whether nil is not copied, because it may mean that the part was not selected there.
  var ignoresNil: Bool
}

/// A member of a struct, to which a type with the struct can forward, such as one that holds a named fragment.
struct ExportPlan {
  var key: MemberKey
  var name: String
  /// The type, as it is written where it is forwarded to.
  var type: SwiftType
  /// The path to the member in the struct.
  var member: String
  var isSettable: Bool
  var documentation: [String] = []
  var deprecation: String?
  /// The condition under which the object has the member, apart from its type.
  var presence = Condition.always
  var canIdentify = false
  /// How old the value of a field may be.
  var age = FieldAge()

  /// The computed property of a type that holds the struct.
  ///
  /// - Parameters:
  ///   - owner: The property that holds the struct.
  ///   - path: The path to the struct in that property, with a dot at its end; empty if it holds the struct itself.
  /// - Returns: The property.
  func forwarder(owner: String, path: String = "") -> ForwarderPlan {
    ForwarderPlan(
      key: key, name: name, type: type, owner: owner, member: path + member,
      setter: isSettable ? .throughOwner : .none, documentation: documentation, deprecation: deprecation,
      presence: presence, canIdentify: canIdentify, age: age)
  }
}

/// A computed property for a member of another property.
struct ForwarderPlan {
  enum Setter {
    case none
    case throughOwner
    /// Like `throughOwner`; but setting nil sets the owner to nil.
    case throughOwnerOrRemovingIt
  }

  var key: MemberKey
  var name: String
  var type: SwiftType
  /// The property that has the member.
  var owner: String
  /// The path to the member in the owner; nil for the owner itself.
  var member: String?
  /// Whether the owner may be nil; then this property is nil, too.
  var hasOptionalOwner = false
  var setter = Setter.none
  var documentation: [String] = []
  var deprecation: String?
  /// The condition under which the object has the member, apart from its type.
  var presence = Condition.always
  var canIdentify = false
  /// How old the value of a field may be.
  var age = FieldAge()
  /// Whether no property is written, because models do not have the fields of their fragments.
  var isHidden = false
  /// Other properties, and the paths in them, that have the member where this one is nil.
  var others: [(owner: String, member: String)] = []

  /// The same member of one of two fragments: that of the fragment that has it whenever the other has it. If neither
  /// does, the member of the other is read where this one is nil. (Setting a value of one sets the other as well.)
  func orElse(_ other: ForwarderPlan) -> ForwarderPlan {
    if presence.includes(other.presence) { return self }
    if other.presence.includes(presence) { return other }
    // Other types do not use the property itself then.
    guard deprecation == nil, !isHidden, let member = other.member else { return self }
    var forwarder = self
    forwarder.others.append((other.owner, member))
    forwarder.presence = presence || other.presence
    return forwarder
  }

  /// The path by which other types use it. If the field is deprecated, it causes no warning.
  var path: String {
    let owner = Identifier.escaped(owner)
    return deprecation == nil && !isHidden ? Identifier.escaped(name) : member.map { "\(owner).\($0)" } ?? owner
  }

  /// The property as a member to which another type can forward.
  var export: ExportPlan {
    ExportPlan(
      key: key, name: name, type: type, member: path, isSettable: setter != .none, documentation: documentation,
      deprecation: deprecation, presence: presence, canIdentify: canIdentify, age: age)
  }
}

/// A struct for the members that an object has under a condition, such as `ifDetailed`.
struct ConditionalPartPlan {
  /// The property of the object that returns the part.
  var name: String
  /// The property that tells whether the condition was satisfied when the object was read.
  var flag: String
  /// The name of the part's struct.
  var type: String
  var documentation: [String]
  /// The position of the condition in the field table.
  var condition: Int
  /// Properties that are optional in the object, and not in the part.
  var unwrapped: [PropertyPlan]
  var forwarders: [ForwarderPlan]
  /// What `fragments` has, as in the object; empty if `fragments` is the part itself.
  var fragmentContainer: [ForwarderPlan] = []
}

/// `typealias Friend = CharacterCard.Friend`
struct AliasPlan {
  var name: String
  var type: SwiftType
}
