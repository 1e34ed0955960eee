import ApolloIR

/// A selection set as a Swift struct, with all names chosen: what is left to do is to write it down.
struct StructPlan {
  enum Role {
    /// The root of an operation.
    case root
    /// The objects of a field.
    case object
    case namedFragment
    /// Holds what the enclosing struct holds, too.
    case inlineFragment
  }

  enum Typename {
    case none
    case stored
    /// The fragment that this property holds has it.
    case forwarded(to: String)
    /// The object is of this type whenever it is.
    case constant(String)
  }

  var name: String
  var role: Role
  /// The type of the objects in the schema.
  var parentType: String
  var documentation: [String] = []
  var typename = Typename.none
  /// Handed over by the enclosing struct.
  var inherited: [PropertyPlan] = []
  /// Read here, in this order.
  var properties: [PropertyPlan] = []
  var forwarders: [ForwarderPlan] = []
  /// What is selected, in the order of the document.
  var order: [MemberKey] = []
  /// What is there under a condition, as views of the struct.
  var views: [ViewPlan] = []
  /// Types that other structs declare, under the names that they would have here.
  var aliases: [AliasPlan] = []
  var nested: [StructPlan] = []
  var flatInitializer: FlatInitializerPlan?
  /// The text of the `__FieldTable`.
  var fieldTable = ""
  var isHashable = true
  var isSendable = true
  var isIdentifiable = false

  var stored: [PropertyPlan] { inherited + properties }
}

/// A stored property.
struct PropertyPlan {
  enum Source {
    /// The position in the field table.
    case field(Int)
    case fragment
    /// With the keys of the properties that it is handed.
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
    /// It is never deferred.
    var isSwitchedOff: Bool
  }

  /// What the property stands for, so that fragments can be compared.
  var key: MemberKey
  /// Without backticks.
  var name: String
  /// The name of the property that is stored, where it is another: see ``storage``.
  var hiddenName = ""
  /// With the optional that a condition adds.
  var type: SwiftType
  /// Without it.
  var unconditionalType: SwiftType
  var source: Source
  /// An inline fragment whose struct stores `__typename`, too.
  var handsTypename = false
  /// When the object has it, apart from its type.
  var presence = Condition.always
  /// What has to be set with it: other properties hold a part of it as well.
  var mirrors: [MirrorPlan] = []
  /// The position of this condition in the field table.
  var condition: Int?
  /// The type set that the object has to be in.
  var typeSet: SwiftType?
  var documentation: [String] = []
  var deprecation: String?
  /// The value of a scalar field that is there in every object.
  var isPlainScalar = false
  var isHashable = true
  var isSendable = true

  /// The object may be without it, and then it is nil.
  var isConditional: Bool { !isDeferred && (condition != nil || typeSet != nil) }

  var isDeferred: Bool {
    if case .deferred = source { true } else { false }
  }

  var isInlineFragment: Bool {
    if case .inlineFragment = source { true } else { false }
  }

  /// Members other than fields that may be absent are boxed.
  var isIndirect: Bool {
    if case .field = source { return false }
    return isConditional
  }

  /// The property that is stored, of which the other is only a face: the box of one that is boxed, one that is set with
  /// others, or one that generated code can use without warnings where the field is deprecated.
  ///
  /// `__Indirect` is not applied as a property wrapper: the compiler takes none in a type that is not isolated, in a
  /// module that is by default.
  var storage: String { deprecation == nil && !isIndirect && !isMirroredFragment ? name : hiddenName }

  /// A fragment that is set with other properties. (A field is observed instead.)
  private var isMirroredFragment: Bool {
    if case .fragment = source { !mirrors.isEmpty } else { false }
  }

  /// The property that generated code takes the value from.
  var value: String { isIndirect ? name : storage }

  /// How other types use it without a warning, where the field is deprecated: escaped.
  var path: String { Identifier.escaped(deprecation == nil ? name : storage) }
}

/// A part of a property that another property holds as well, so that it is set with it.
struct MirrorPlan {
  /// The other property.
  var target: MemberKey
  /// The path to the part in the other property; nil if it is all of that.
  var targetMember: String?
  /// The path to the part in the property that is set; nil if it is all of that.
  var member: String?
  /// nil there does not say that there is no value: it may not have been asked for.
  var ignoresNil: Bool
}

/// A computed property for what another property has.
struct ForwarderPlan {
  enum Setter {
    case none
    case throughOwner
    /// The owner is nil where this is nil.
    case throughOwnerOrRemovingIt
  }

  var key: MemberKey
  var name: String
  var type: SwiftType
  /// The property that has it.
  var owner: String
  /// The path to it there; nil for the owner itself.
  var member: String?
  /// The owner may be nil, and then this is.
  var hasOptionalOwner = false
  var setter = Setter.none
  var documentation: [String] = []
  var deprecation: String?
  /// When the object has it, apart from its type.
  var presence = Condition.always
  var isPlainScalar = false

  /// How other types use it without a warning, where the field is deprecated: escaped.
  var path: String {
    let owner = Identifier.escaped(owner)
    return deprecation == nil ? Identifier.escaped(name) : member.map { "\(owner).\($0)" } ?? owner
  }
}

/// What an object has under a condition, as a struct: `ifDetailed`.
struct ViewPlan {
  /// The property of the object.
  var name: String
  /// The property that tells whether the condition held when the object was read.
  var flag: String
  /// Its struct.
  var type: String
  var documentation: [String]
  /// The position of the condition in the field table.
  var condition: Int
  /// Properties of the object that are optional there, and not here.
  var unwrapped: [PropertyPlan]
  var forwarders: [ForwarderPlan]

}

/// `typealias Friend = CharacterCard.Friend`
struct AliasPlan {
  var name: String
  var type: SwiftType
}
