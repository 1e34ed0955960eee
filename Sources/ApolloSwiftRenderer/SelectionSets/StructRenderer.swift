import ApolloIR

/// Writes the part of a selection set that an app uses: the properties of its struct, its initializers, and its nested
/// types. ``MachineryRenderer`` writes an extension that reads and writes it.
struct StructRenderer {
  let plan: StructPlan
  let style: DeclarationStyle
  private let storedByKey: [MemberKey: PropertyPlan]

  init(plan: StructPlan, style: DeclarationStyle) {
    self.plan = plan
    self.style = style
    storedByKey = plan.storedByKey
  }

  func render(to writer: inout CodeWriter) {
    writer.blankLine()
    writer.annotations(plan.documentation)
    let conformances =
      ([
        plan.isSendable ? "Sendable" : nil, plan.isHashable ? "Hashable" : nil,
        plan.isIdentifiable ? "Identifiable" : nil,
      ] as [String?]).compactMap { $0 }
    let list = conformances.isEmpty ? "" : ": " + conformances.joined(separator: ", ")
    writer.block("\(style.type)struct \(Identifier.escaped(plan.name))\(list)") { writer in
      properties(&writer)
      hiddenProperties(&writer)
      initializers(&writer)
      forwarders(&writer)
      fragmentContainer(&writer)
      aliases(&writer)
      for part in plan.conditionalParts {
        ConditionalPartRenderer(part: part, whole: plan, style: style).render(to: &writer)
      }
      for nested in plan.nested { StructRenderer(plan: nested, style: style).render(to: &writer) }
    }
  }

  // MARK: - Properties

  private func properties(_ writer: inout CodeWriter) {
    if case .stored = plan.typename, !plan.guessesTypename { writer.line("\(style.access)var __typename: String") }
    for property in plan.stored {
      writer.annotations(property.documentation)
      writer.annotations(Documentation.deprecation(property.deprecation))
      let head = "\(style.access)var \(Identifier.escaped(property.name)): \(property.type)"
      guard property.storage != property.name else {
        let mirrors = mirrors(of: property, value: Identifier.member(property.name))
        let value = property.isDeferred && hasSynthesizedInitializer ? " = .pending" : ""
        if mirrors.isEmpty { writer.line(head + value) } else { writer.observed(head + value, didSet: mirrors) }
        continue
      }
      let stored = property.storage + (property.isIndirect ? ".wrappedValue" : "")
      guard property.isIndirect || property.deprecation == nil else {
        writer.accessors(head, get: [stored], set: ["\(stored) = newValue"])
        continue
      }
      let handed = handed(to: property), mirrors = mirrors(of: property, value: "newValue")
      let get =
        handed.isEmpty
        ? [stored]
        : ["guard var value = \(stored) else { return nil }"]
          + handed.map { "value.\($0.member) = \($0.value)" } + ["return value"]
      var set = [
        property.isIndirect ? "\(property.storage) = __Indirect(wrappedValue: newValue)" : "\(stored) = newValue"
      ]
      if property.isIndirect, !handed.isEmpty || !mirrors.isEmpty { set.append("guard let newValue else { return }") }
      set += handed.map { "\($0.value) = newValue.\($0.member)" } + mirrors
      // Without accessors, the compiler would add one for changes in place and copy both bodies into it.
      writer.accessors(head, get: get, set: set, attribute: handed.isEmpty ? "" : "@inline(never) ")
    }
    if case .stored = plan.typename, plan.guessesTypename {
      writer.line("\(style.access)var __typename: String" + (hasSynthesizedInitializer ? defaultTypename : ""))
    }
  }

  private func hiddenProperties(_ writer: inout CodeWriter) {
    for property in plan.stored where property.storage != property.name {
      guard property.isIndirect || property.deprecation == nil else {
        deprecatedStorage(property, &writer)
        continue
      }
      let type = property.isIndirect ? SwiftType.generic("__Indirect", property.unconditionalType) : property.type
      writer.line("private var \(property.storage): \(type)")
    }
    for part in plan.conditionalParts { writer.line("private var \(part.flag): Bool") }
    for field in plan.keyFields { writer.line("private var \(field.name): \(field.type)") }
  }

  /// The stored property of a deprecated field, which generated code of other types can use without a warning.
  private func deprecatedStorage(_ property: PropertyPlan, _ writer: inout CodeWriter) {
    let mirrors = mirrors(of: property, value: Identifier.member(property.storage))
    let declaration = "\(style.access)var \(property.storage): \(property.type)"
    if mirrors.isEmpty { writer.line(declaration) } else { writer.observed(declaration, didSet: mirrors) }
  }

  /// The statements that set the parts of other properties together with a property.
  private func mirrors(of property: PropertyPlan, value: String) -> [String] {
    property.mirrors.compactMap { mirror -> String? in
      guard let target = storedByKey[mirror.target] else { return nil }
      var place = Identifier.member(target.storage) + (target.isIndirect ? ".wrappedValue" : "")
      var separator = target.isIndirect ? "?." : "."
      for part in [mirror.targetContainer, mirror.targetMember] {
        guard let part else { continue }
        place += separator + part
        separator = "?."
      }
      let container = mirror.container.map { value + "." + $0 }
      let source =
        (container.map { $0 + (mirror.ignoresNil ? "?" : "") } ?? value) + (mirror.member.map { "." + $0 } ?? "")
      // A boxed property is set with its value alone.
      let mayBeNil = mirror.ignoresNil && (mirror.member != nil || !property.isIndirect)
      if mayBeNil { return "if let value = \(source) { \(place) = value }" }
      if let container { return "if let value = \(container) { \(place) = value\(source.dropFirst(container.count)) }" }
      return "\(place) = \(source)"
    }
  }

  /// The members that an inline fragment shares with this struct. They are passed to it when it is read, and taken from
  /// it when it is set.
  private func handed(to property: PropertyPlan) -> [(member: String, value: String)] {
    guard case .inlineFragment(let keys) = property.source else { return [] }
    let typename = property.handsTypename ? [(member: "__typename", value: "__typename")] : []
    return typename
      + keys.compactMap { key in
        storedByKey[key].map {
          ($0.path, Identifier.member($0.deprecation == nil ? $0.name : $0.storage))
        }
      }
  }

  private func forwarders(_ writer: inout CodeWriter) {
    writer.blankLine()
    for forwarder in plan.forwarders where !forwarder.isHidden { Self.render(forwarder, style: style, to: &writer) }
    switch plan.typename {
    case .none, .stored: break
    case .forwarded(let owner):
      writer.accessors(
        "\(style.access)var __typename: String", get: ["\(Identifier.member(owner)).__typename"],
        set: ["\(Identifier.member(owner)).__typename = newValue"])
    case .constant(let type): writer.member("\(style.access)var __typename: String", Literal.string(type))
    }
    for part in plan.conditionalParts {
      writer.annotations(part.documentation)
      writer.member("\(style.access)var \(part.name): \(part.type)?", "\(part.flag) ? \(part.type)(self) : nil")
    }
  }

  static func render(_ forwarder: ForwarderPlan, style: DeclarationStyle, to writer: inout CodeWriter) {
    writer.annotations(forwarder.documentation)
    writer.annotations(Documentation.deprecation(forwarder.deprecation))
    let head = "\(style.access)var \(Identifier.escaped(forwarder.name)): \(forwarder.type)"
    let owner = Identifier.member(forwarder.owner)
    let path = owner + (forwarder.hasOptionalOwner ? "?." : ".")
    let value = forwarder.member.map { path + $0 } ?? owner
    let others = forwarder.others.map { Identifier.member($0.owner) + "." + $0.member }
    let get = ([value] + others).joined(separator: " ?? ")
    switch forwarder.setter {
    case .none: writer.member(head, get)
    case .throughOwner:
      // Another value is set in the others with the first one.
      writer.accessors(
        head, get: [get], set: ["\(value) = newValue"] + others.map { "if newValue == nil { \($0) = nil }" })
    case .throughOwnerOrRemovingIt:
      writer.accessors(head, get: [get], set: ["if let newValue { \(value) = newValue } else { \(owner) = nil }"])
    }
  }

  private func fragmentContainer(_ writer: inout CodeWriter) {
    guard !plan.fragmentContainer.isEmpty else { return }
    writer.blankLine()
    writer.accessors(
      "\(style.access)var fragments: Fragments", get: ["Fragments(__whole: self)"], set: ["self = newValue.__whole"])
    writer.blankLine()
    writer.block("\(style.type)struct Fragments\(plan.isSendable ? ": Sendable" : "")") { writer in
      writer.line("fileprivate var __whole: __Whole")
      for entry in plan.fragmentContainer { Self.render(entry, style: style, to: &writer) }
    }
  }

  private func aliases(_ writer: inout CodeWriter) {
    let needsWhole = !plan.conditionalParts.isEmpty || !plan.fragmentContainer.isEmpty
    if !plan.aliases.isEmpty || needsWhole { writer.blankLine() }
    for alias in plan.aliases { writer.line("\(style.access)typealias \(alias.name) = \(alias.type)") }
    // A nested type may have the name of the struct.
    if needsWhole { writer.line("\(style.access)typealias __Whole = Self") }
  }
}
