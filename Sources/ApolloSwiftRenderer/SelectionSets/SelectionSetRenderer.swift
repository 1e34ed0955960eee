/// Writes the struct for a selection set.
struct SelectionSetRenderer {
  let plan: StructPlan
  let style: DeclarationStyle
  /// The type that describes the schema, for the roots of operations and for fragments.
  var schemaMetadata: SwiftType?

  /// - Parameter extraMembers: Written after the properties, such as a fragment's definition.
  func render(to writer: inout CodeWriter, extraMembers: [String] = []) {
    writer.blankLine()
    writer.lines(plan.documentation)
    writer.block("\(style.type)struct \(Identifier.escaped(plan.name)): \(conformances)") { writer in
      properties(&writer)
      forwarders(&writer)
      writer.lines(extraMembers)
      if let schemaMetadata {
        writer.line("\(style.access)static var schema: (any ApolloAPI.SchemaMetadata.Type)? { \(schemaMetadata).self }")
      }
      if !plan.views.isEmpty {
        // The name of the struct may be that of a type in it.
        writer.line("\(style.access)typealias __Whole = Self")
      }
      for alias in plan.aliases { writer.line("\(style.access)typealias \(alias.name) = \(alias.type)") }
      writer.line("\(style.access)static let __fields = FieldTable(\(Literal.string(plan.fieldTable)))")
      writer.blankLine()
      memberwiseInitializer(&writer)
      flatInitializer(&writer)
      writer.blankLine()
      readingInitializer(&writer)
      writer.blankLine()
      writeFields(&writer)
      if plan.isHashable {
        HashableRenderer(names: hashedNames, isIdentifiable: plan.isIdentifiable, style: style).render(to: &writer)
      }
      for view in plan.views { ViewRenderer(view: view, whole: plan, style: style).render(to: &writer) }
      for nested in plan.nested { SelectionSetRenderer(plan: nested, style: style).render(to: &writer) }
    }
  }

  private var conformances: String {
    let role =
      switch plan.role {
      case .root, .object: "SelectionSet"
      case .namedFragment: "Fragment"
      case .inlineFragment: "InlineFragment"
      }
    let equality = HashableRenderer(names: hashedNames, style: style).conformance
    return role + (plan.isSendable ? ", Sendable" : "") + (plan.isHashable ? ", " + equality : "")
      + (plan.isIdentifiable ? ", Identifiable" : "")
  }

  private var hasStoredTypename: Bool {
    if case .stored = plan.typename { true } else { false }
  }

  private var hashedNames: [String] {
    (hasStoredTypename ? ["__typename"] : []) + plan.stored.map(\.storage)
  }

  // MARK: - Members

  private func properties(_ writer: inout CodeWriter) {
    switch plan.typename {
    case .none: break
    case .stored: writer.line("\(style.access)\(Self.binding(isCopy: plan.role == .inlineFragment)) __typename: String")
    case .constant(let type):
      writer.line("\(style.access)var __typename: String { \(Literal.string(type)) }")
    }
    for (index, property) in plan.stored.enumerated() {
      let isCopy = index < plan.inherited.count
      writer.lines(property.documentation)
      let name = Identifier.escaped(property.name)
      writer.lines(Documentation.deprecation(property.deprecation))
      guard property.storage != property.name else {
        writer.line("\(style.access)\(Self.binding(isCopy: isCopy)) \(name): \(property.type)")
        continue
      }
      let stored = property.storage + (property.isIndirect ? ".wrappedValue" : "")
      if isCopy {
        writer.line("\(style.access)var \(name): \(property.type) { \(stored) }")
      } else {
        writer.block("\(style.access)var \(name): \(property.type)") { writer in
          writer.line("get { \(stored) }")
          writer.line("set { \(stored) = newValue }")
        }
      }
      let type = property.isIndirect ? SwiftType.generic("Indirect", property.unconditionalType) : property.type
      writer.line("private \(Self.binding(isCopy: isCopy)) \(property.storage): \(type)")
    }
  }

  /// What an inline fragment holds of the enclosing struct cannot be changed there: nobody would see it.
  private static func binding(isCopy: Bool) -> String { isCopy ? "let" : "var" }

  private func forwarders(_ writer: inout CodeWriter) {
    for forwarder in plan.forwarders { Self.forwarder(forwarder, style, &writer) }
    for view in plan.views {
      writer.lines(view.documentation)
      writer.line("\(style.access)var \(view.name): \(view.type)? { \(view.flag) ? \(view.type)(self) : nil }")
      writer.line("private var \(view.flag): Bool")
    }
  }

  static func forwarder(_ forwarder: ForwarderPlan, _ style: DeclarationStyle, _ writer: inout CodeWriter) {
    writer.lines(Documentation.deprecation(forwarder.deprecation))
    let head = "\(style.access)var \(Identifier.escaped(forwarder.name)): \(forwarder.type)"
    let owner = member(forwarder.owner)
    let path = owner + (forwarder.hasOptionalOwner ? "?." : ".")
    let value = forwarder.member.map { path + Identifier.escaped($0) } ?? owner
    switch forwarder.setter {
    case .none: writer.line("\(head) { \(value) }")
    case .throughOwner:
      writer.block(head) { writer in
        writer.line("get { \(value) }")
        writer.line("set { \(value) = newValue }")
      }
    case .throughOwnerOrRemovingIt:
      writer.block(head) { writer in
        writer.line("get { \(value) }")
        writer.line("set { if let newValue { \(value) = newValue } else { \(owner) = nil } }")
      }
    }
  }

  // MARK: - Initializers

  private func memberwiseInitializer(_ writer: inout CodeWriter) {
    let typename = hasStoredTypename ? ["__typename: String"] : []
    let names = Self.parameterNames(plan.stored.map(\.name))
    let parameters = plan.stored.map { property in
      names.parameter(property.name, property.type)
        + Self.defaultValue(property.type, isDeferred: property.isDeferred)
    }
    writer.function("\(style.access)init", typename + parameters) { writer in
      writer.assign(assignments(of: plan.stored, names))
      // Its members tell whether it is there.
      for view in plan.views { writer.line("\(view.flag) = true") }
    }
  }

  private func flatInitializer(_ writer: inout CodeWriter) {
    guard let flat = plan.flatInitializer else { return }
    let typename = hasStoredTypename ? ["__typename: String"] : []
    let names = Self.parameterNames(flat.parameters.map(\.name))
    let parameters = flat.parameters.map { parameter in
      names.parameter(parameter.name, parameter.type)
        + Self.defaultValue(parameter.type, isDeferred: parameter.isDeferred)
    }
    writer.blankLine()
    writer.function("\(style.access)init", typename + parameters) { writer in
      writer.list("self.init", flat.arguments.map { Self.argument($0, names) })
    }
  }

  private static func argument(
    _ argument: (label: String, value: FlatInitializerPlan.Argument), _ names: ParameterNames
  ) -> String {
    "\(Identifier.label(argument.label)): \(value(argument.value, names))"
  }

  private static func value(_ argument: FlatInitializerPlan.Argument, _ names: ParameterNames) -> String {
    switch argument {
    case .parameter(let name): names.local(name)
    case .typename: "__typename"
    case .typeName(let name): Literal.string(name)
    case .fragment(let type, let arguments):
      "\(type)(\(arguments.map { Self.argument($0, names) }.joined(separator: ", ")))"
    }
  }

  /// Of the parameters with their names to the properties.
  private func assignments(of properties: [PropertyPlan], _ names: ParameterNames) -> [Code.Assignment] {
    let typename = hasStoredTypename ? [Code.Assignment(target: "self.__typename", value: "__typename")] : []
    return typename
      + properties.map { property in
        let parameter = names.local(property.name)
        let value = property.isIndirect ? "Indirect(wrappedValue: \(parameter))" : parameter
        return Code.Assignment(target: "self.\(Identifier.escaped(property.storage))", value: value)
      }
  }

  private static func parameterNames(_ names: [String]) -> ParameterNames {
    ParameterNames(names, reserved: ["self", "object", "outer"])
  }

  private func readingInitializer(_ writer: inout CodeWriter) {
    guard plan.role == .inlineFragment else {
      return writer.block("\(style.access)init(_ object: inout ObjectReader) throws(ReadError)") { writer in
        if hasStoredTypename { writer.line("__typename = try object.typename()") }
        for property in plan.properties { read(property, to: &writer) }
        for view in plan.views { read(view, to: &writer) }
      }
    }
    let typename = hasStoredTypename ? ["__typename: String"] : []
    let names = Self.parameterNames(plan.inherited.map(\.name))
    let parameters =
      ["_ object: inout ObjectReader"] + typename + plan.inherited.map { names.parameter($0.name, $0.type) }
    writer.function("init", parameters, " throws(ReadError)") { writer in
      writer.assign(assignments(of: plan.inherited, names))
      guard !plan.properties.isEmpty || !plan.views.isEmpty else { return }
      writer.line("let outer = object.enter(Self.__fields)")
      for property in plan.properties { read(property, to: &writer) }
      for view in plan.views { read(view, to: &writer) }
      writer.line("object.leave(outer)")
    }
  }

  private func read(_ view: ViewPlan, to writer: inout CodeWriter) {
    writer.line("\(view.flag) = object.includes(\(view.condition))")
  }

  private static func defaultValue(_ type: SwiftType, isDeferred: Bool) -> String {
    isDeferred ? " = .pending" : type.isOptional ? " = nil" : ""
  }

  private func read(_ property: PropertyPlan, to writer: inout CodeWriter) {
    let value: String
    switch property.source {
    case .field(let position):
      value = "object.read(\(position))" + (property.isConditional ? " as \(property.unconditionalType)" : "")
    case .fragment:
      value = "object.fragment()" + (property.isConditional ? " as \(property.unconditionalType)" : "")
    case .inlineFragment(let handed):
      let arguments = handed.compactMap { key -> String? in
        guard let property = plan.stored.first(where: { $0.key == key }) else { return nil }
        // A computed property cannot be used until all stored ones have a value.
        let value = property.isIndirect ? "\(property.storage).wrappedValue" : Self.member(property.value)
        return "\(Identifier.label(property.name)): \(value)"
      }
      let typename = property.handsTypename ? ["__typename: __typename"] : []
      value = "\(property.unconditionalType)(" + (["&object"] + typename + arguments).joined(separator: ", ") + ")"
    case .deferred(let read):
      let later = "object.deferred(\(read.marks), \(Literal.string(read.label)))"
      let switchedOff = read.switchedOff.map { "object.includes(\($0)) ? .ready(object.fragment()) : " } ?? ""
      value = read.isSwitchedOff ? ".ready(object.fragment())" : switchedOff + later
    }
    var expression = value
    let otherwise = property.isDeferred ? ".notExecuted" : "nil"
    if let typeSet = property.typeSet { expression = "object.isType(\(typeSet)) ? \(expression) : \(otherwise)" }
    if let condition = property.condition {
      expression = "object.includes(\(condition)) ? \(expression) : \(otherwise)"
    }
    if property.isIndirect { expression = "Indirect(wrappedValue: \(expression))" }
    writer.line("\(Self.member(property.storage)) = try \(expression)")
  }

  /// A stored property where local names may hide it.
  static func member(_ name: String) -> String {
    (ReservedNames.locals.contains(name) ? "self." : "") + Identifier.escaped(name)
  }

  // MARK: - Writing

  private func writeFields(_ writer: inout CodeWriter) {
    writer.block("\(style.access)func writeFields(to writer: inout JSONWriter)") { writer in
      if plan.role != .inlineFragment, case .none = plan.typename {
      } else if plan.role != .inlineFragment {
        writer.line("writer.write(0, __typename)")
      }
      for property in plan.properties {
        let member = Self.member(property.value)
        switch property.source {
        case .field(let position) where property.isConditional && property.unconditionalType.isOptional:
          writer.line("writer.write(\(position), \(member), if: \(property.condition ?? 0))")
        case .field(let position) where property.type != property.unconditionalType:
          writer.line("if let value = \(member) { writer.write(\(position), value) }")
        case .field(let position): writer.line("writer.write(\(position), \(member))")
        case .fragment, .inlineFragment: writer.line("writer.write(fragment: \(member))")
        case .deferred(let read):
          writer.line("writer.write(\(read.marks), deferred: \(Literal.string(read.label)), \(member))")
        }
      }
    }
  }
}
