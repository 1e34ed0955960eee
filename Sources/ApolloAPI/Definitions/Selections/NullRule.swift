/// What a null in the place of a field's value means for the model.
struct NullRule {
  /// What `@required(action:)` does if the field is null, besides that the object around it is null as well.
  enum RequiredAction: String {
    case none, log
    /// It counts as an error of the field.
    case `throw`
  }

  /// The levels of lists at which a null with an error is thrown: bit 0 is the field itself, bit 1 the elements of its
  /// list, and so on.
  var thrownLevels: UInt32 = 0
  /// nil: the field may be null.
  var required: RequiredAction?

  /// The rule in words; nil if there is none.
  var description: String? {
    let levels = (0..<32).filter { thrownLevels & 1 << $0 != 0 }.map(String.init)
    let words = [
      levels.isEmpty ? nil : "throws errors at level \(levels.joined(separator: ", "))",
      required.map { "required: \($0.rawValue)" },
    ].compactMap(\.self)
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }
}
