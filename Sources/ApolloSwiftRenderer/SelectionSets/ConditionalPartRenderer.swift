/// Writes the struct for the members that an object has under a condition: see ``ConditionalPartPlan``.
///
/// The struct holds the object, and separate properties for members that are not optional under the condition. All
/// other members are read from the object.
struct ConditionalPartRenderer {
  let part: ConditionalPartPlan
  /// The struct of the object.
  let whole: StructPlan
  let style: DeclarationStyle

  func render(to writer: inout CodeWriter) {
    let isHashable = whole.isHashable ? ", Hashable" : "", isSendable = whole.isSendable ? ", Sendable" : ""
    writer.blankLine()
    writer.annotations(part.documentation)
    writer.annotation("@dynamicMemberLookup")
    writer.block("\(style.type)struct \(part.type): __FragmentContainer\(isSendable)\(isHashable)") { writer in
      for property in part.unwrapped {
        writer.annotations(property.documentation)
        writer.annotations(Documentation.deprecation(property.deprecation))
        let name = Identifier.escaped(property.name), stored = "let \(property.path): \(property.unconditionalType)"
        if property.deprecation == nil {
          writer.line(style.access + stored)
        } else {
          writer.line("\(style.access)var \(name): \(property.unconditionalType) { \(property.path) }")
          writer.line("private " + stored)
        }
      }
      for forwarder in part.forwarders where !forwarder.isHidden {
        StructRenderer.render(forwarder, style: style, to: &writer)
      }
      fragmentContainer(&writer)
      writer.line("private let __whole: __Whole")
      writer.blankLine()
      initializer(&writer)
      writer.blankLine()
      writer.block(
        "\(style.access)subscript<__Value>(dynamicMember path: Swift.KeyPath<__Whole, __Value>) -> __Value"
      ) { $0.line("__whole[keyPath: path]") }
    }
  }

  /// The fragments of the object, where these have other names than its properties.
  private func fragmentContainer(_ writer: inout CodeWriter) {
    guard !part.fragmentContainer.isEmpty else { return }
    writer.member("\(style.access)var fragments: Fragments", "Fragments(__part: self)")
    writer.blankLine()
    writer.block("\(style.type)struct Fragments\(whole.isSendable ? ": Sendable" : "")") { writer in
      writer.line("fileprivate let __part: \(part.type)")
      for entry in part.fragmentContainer { StructRenderer.render(entry, style: style, to: &writer) }
    }
    writer.blankLine()
  }

  private func initializer(_ writer: inout CodeWriter) {
    writer.block("fileprivate init?(_ whole: __Whole)") { writer in
      if !part.unwrapped.isEmpty {
        let bindings = part.unwrapped.map { "let _\($0.name) = whole.\(Identifier.escaped($0.value))" }
        writer.fill(["guard"] + bindings.dropLast().map { $0 + "," } + bindings.suffix(1) + ["else { return nil }"])
      }
      writer.line("self.__whole = whole")
      for property in part.unwrapped {
        writer.line("self.\(property.path) = _\(property.name)")
      }
    }
  }
}
