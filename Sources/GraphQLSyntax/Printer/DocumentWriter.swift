/// Writes definitions and selections at the current indentation.
struct DocumentWriter {
  private(set) var output = ""
  private var indentation = 0
  private let values: ValuePrinter
  /// Whether a blank line sets apart members that have a description.
  private let isAiry: Bool

  init(_ style: Printer.Style, isAiry: Bool = false) {
    values = ValuePrinter(style: style)
    self.isAiry = isAiry
  }

  mutating func write(_ document: Document) {
    for (index, definition) in document.definitions.enumerated() {
      if index > 0 { output += "\n\n" }
      write(definition)
    }
  }

  mutating func write(_ definition: Definition) {
    switch definition {
    case .operation(let operation): write(operation)
    case .fragment(let fragment): write(fragment)
    case .schema(let schema): write(schema)
    case .type(let type): write(type)
    case .directive(let directive): write(directive)
    }
  }

  // MARK: - Executable definitions

  private mutating func write(_ operation: OperationDefinition) {
    write(operation.description)
    let isShorthand =
      operation.operation == .query && operation.name == nil && operation.description == nil
      && operation.variableDefinitions.isEmpty && operation.directives.isEmpty
    if !isShorthand {
      output += operation.operation.rawValue + " "
      if operation.name != nil || !operation.variableDefinitions.isEmpty {
        output += operation.name?.value ?? ""
        output += variables(operation.variableDefinitions)
        output += " "
      }
      write(operation.directives, suffix: " ")
    }
    write(operation.selectionSet)
  }

  /// The variables of an operation. Like the reference implementation, it does not indent those with descriptions.
  private func variables(_ definitions: [VariableDefinition]) -> String {
    if definitions.isEmpty { return "" }
    let entries = definitions.map(text).map(\.text)
    return entries.contains { $0.utf8.contains(Ascii.lineFeed) }
      ? "(\n" + entries.joined(separator: "\n") + "\n)" : "(" + entries.joined(separator: ", ") + ")"
  }

  private mutating func write(_ fragment: FragmentDefinition) {
    write(fragment.description)
    output += "fragment \(fragment.name)"
    if !fragment.variableDefinitions.isEmpty {
      output += "(" + fragment.variableDefinitions.map { text($0).text }.joined(separator: ", ") + ")"
    }
    output += " on \(fragment.typeCondition) "
    write(fragment.directives, suffix: " ")
    write(fragment.selectionSet)
  }

  mutating func write(_ selectionSet: SelectionSet) {
    guard !selectionSet.selections.isEmpty else {
      output += "{}"
      return
    }
    braces(selectionSet.selections) { writer, selection in
      switch selection {
      case .field(let field): writer.write(field)
      case .fragmentSpread(let spread):
        writer.write("...\(spread.name)", spread.arguments)
        writer.write(spread.directives, prefix: " ")
      case .inlineFragment(let fragment):
        writer.output += "... "
        if let type = fragment.typeCondition { writer.output += "on \(type) " }
        writer.write(fragment.directives, suffix: " ")
        writer.write(fragment.selectionSet)
      }
    }
  }

  private mutating func write(_ field: Field) {
    var prefix = field.name.value
    if let alias = field.alias { prefix = "\(alias): \(prefix)" }
    write(prefix, field.arguments)
    write(field.directives, prefix: " ")
    guard let selectionSet = field.selectionSet else { return }
    output += " "
    write(selectionSet)
  }

  /// A name and its arguments, one a line where they would be too long for one line.
  private mutating func write(_ prefix: String, _ arguments: [Argument]) {
    let arguments = values.print(arguments)
    var line = prefix + (arguments.isEmpty ? "" : "(" + arguments.joined(separator: ", ") + ")")
    if line.utf16.count > ValuePrinter.maximumLineLength, !arguments.isEmpty {
      line = prefix + "(" + ValuePrinter.block(arguments) + ")"
    }
    writeIndented(line)
  }

  // MARK: - Type system definitions

  private mutating func write(_ schema: SchemaDefinition) {
    write(schema.description)
    output += schema.isExtension ? "extend schema" : "schema"
    write(schema.directives, prefix: " ")
    guard !schema.operationTypes.isEmpty else { return }
    output += " "
    braces(schema.operationTypes) { writer, type in
      writer.output += "\(type.operation.rawValue): \(type.type)"
    }
  }

  private mutating func write(_ type: TypeDefinition) {
    write(type.description)
    if type.isExtension { output += "extend " }
    output += "\(type.body.keyword) \(type.name)"
    if !type.body.interfaces.isEmpty {
      output += " implements " + type.body.interfaces.map(\.value).joined(separator: " & ")
    }
    write(type.directives, prefix: " ")
    switch type.body {
    case .scalar: break
    case .object(_, let fields), .interface(_, let fields):
      block(fields, description: \.description) { $0.write($1) }
    case .union(let members):
      if !members.isEmpty { output += " = " + members.map(\.value).joined(separator: " | ") }
    case .enum(let values):
      block(values, description: \.description) { writer, value in
        writer.write(value.description)
        writer.output += value.name.value
        writer.write(value.directives, prefix: " ")
      }
    case .inputObject(let fields):
      block(fields, description: \.description) { $0.writeIndented($0.text($1).text) }
    }
  }

  private mutating func write(_ field: FieldDefinition) {
    write(field.description)
    output += field.name.value
    parentheses(field.arguments.map(text))
    output += ": \(field.type)"
    write(field.directives, prefix: " ")
  }

  private mutating func write(_ directive: DirectiveDefinition) {
    write(directive.description)
    if directive.isExtension { output += "extend " }
    output += "directive @\(directive.name)"
    parentheses(directive.arguments.map(text))
    write(directive.directives, prefix: " ")
    if directive.isExtension { return }
    output += directive.isRepeatable ? " repeatable on " : " on "
    output += directive.locations.map(\.rawValue).joined(separator: " | ")
  }

  // MARK: - Parts

  private func text(_ input: InputValueDefinition) -> Entry {
    entry(
      "\(input.name): \(input.type)", description: input.description, defaultValue: input.defaultValue,
      directives: input.directives)
  }

  private func text(_ variable: VariableDefinition) -> Entry {
    entry(
      "$\(variable.name): \(variable.type)", description: variable.description, defaultValue: variable.defaultValue,
      directives: variable.directives)
  }

  /// Something between parentheses, as text from the outer margin on.
  private struct Entry {
    var text: String
    var isDescribed: Bool
  }

  private func entry(
    _ head: String, description: StringValue?, defaultValue: Value?, directives: [Directive]
  ) -> Entry {
    var text = description.map { values.print($0) + "\n" } ?? ""
    text += head
    if let defaultValue { text += " = " + values.print(defaultValue) }
    text = ([text] + values.print(directives)).joined(separator: " ")
    return Entry(text: text, isDescribed: description != nil)
  }

  /// Definitions between parentheses: on one line unless one of them needs several. Nothing when there are none.
  private mutating func parentheses(_ entries: [Entry]) {
    if entries.isEmpty { return }
    guard entries.contains(where: { $0.text.utf8.contains(Ascii.lineFeed) }) else {
      output += "(" + entries.map(\.text).joined(separator: ", ") + ")"
      return
    }
    lines(entries, between: "(", and: ")", isDescribed: \.isDescribed) { $0.writeIndented($1.text) }
  }

  private mutating func write(_ description: StringValue?) {
    guard let description else { return }
    writeIndented(values.print(description))
    newLine()
  }

  private mutating func write(_ directives: [Directive], prefix: String = "", suffix: String = "") {
    guard !directives.isEmpty else { return }
    writeIndented(prefix + values.print(directives).joined(separator: " ") + suffix)
  }

  /// Braces around definitions, or nothing when there are none.
  private mutating func block<Item>(
    _ items: [Item], description: KeyPath<Item, StringValue?>, _ write: (inout DocumentWriter, Item) -> Void
  ) {
    guard !items.isEmpty else { return }
    output += " "
    lines(items, between: "{", and: "}", isDescribed: { $0[keyPath: description] != nil }, write)
  }

  private mutating func braces<Item>(_ items: [Item], _ write: (inout DocumentWriter, Item) -> Void) {
    lines(items, between: "{", and: "}", isDescribed: { _ in false }, write)
  }

  /// Items on lines of their own.
  private mutating func lines<Item>(
    _ items: [Item], between open: String, and close: String, isDescribed: (Item) -> Bool,
    _ write: (inout DocumentWriter, Item) -> Void
  ) {
    output += open
    indentation += 1
    for (index, item) in items.enumerated() {
      if isAiry, index > 0, isDescribed(item) { output += "\n" }
      newLine()
      write(&self, item)
    }
    indentation -= 1
    newLine()
    output += close
  }

  /// Text that was made from the outer margin on.
  private mutating func writeIndented(_ text: String) {
    guard indentation > 0, text.utf8.contains(Ascii.lineFeed) else {
      output += text
      return
    }
    for (index, line) in text.utf8.split(separator: Ascii.lineFeed, omittingEmptySubsequences: false).enumerated() {
      if index > 0 { newLine() }
      output += Substring(line)
    }
  }

  private mutating func newLine() {
    output += "\n"
    for _ in 0..<indentation { output += "  " }
  }
}

extension TypeDefinition.Body {
  /// The keyword that a definition with this body begins with.
  public var keyword: String {
    switch self {
    case .scalar: "scalar"
    case .object: "type"
    case .interface: "interface"
    case .union: "union"
    case .enum: "enum"
    case .inputObject: "input"
    }
  }

  /// The interfaces that an object or interface type implements; empty for the other kinds.
  public var interfaces: [Name] {
    switch self {
    case .object(let interfaces, _), .interface(let interfaces, _): interfaces
    case .scalar, .union, .enum, .inputObject: []
    }
  }
}
