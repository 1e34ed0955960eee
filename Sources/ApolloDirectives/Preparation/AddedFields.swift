import GraphQLSyntax

/// A key field in a selection set.
struct KeyFieldPlace: Hashable {
  /// The name of the field.
  var name: String
  /// The place of the selection set.
  var selectionSet: SourceSpan
}

/// A key field that was added.
struct AddedField {
  /// The field, and where it was added.
  var place: KeyFieldPlace
  /// The types whose key has the field.
  var types: [String]
}

/// The key fields that were added to selection sets, by spans that stand for them: no selection of a document has
/// such a span.
struct AddedFields {
  private var fields: [SourceSpan: AddedField] = [:]
  private var numbers: [String: UInt32] = [:]

  /// Whether there are none.
  var isEmpty: Bool { fields.isEmpty }

  /// The field that a span stands for; nil for a span of the document.
  subscript(span: SourceSpan) -> AddedField? { fields[span] }

  /// Notes that a field is added.
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - type: A type whose key has the field.
  ///   - selectionSet: The selection set.
  /// - Returns: The field, whose span stands for it.
  mutating func add(_ name: String, for type: String, to selectionSet: SelectionSet) -> Selection {
    let number = numbers[name] ?? UInt32(numbers.count)
    numbers[name] = number
    var span = selectionSet.span
    span.end += 1 + number
    fields[span, default: AddedField(place: KeyFieldPlace(name: name, selectionSet: selectionSet.span), types: [])]
      .types.append(type)
    return .field(Field(name: Name(name), span: span))
  }
}
