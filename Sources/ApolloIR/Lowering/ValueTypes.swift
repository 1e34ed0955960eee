import ApolloDirectives
import GraphQLSchema
import GraphQLSyntax

extension ValueType {
  /// A type as the schema or a document writes it.
  init(_ reference: TypeReference, in schema: Schema) {
    let type: ValueType =
      switch reference.kind {
      case .list(let element): .list(ValueType(element, in: schema))
      case .named(let name): .named(name.value, in: schema)
      }
    self = reference.isNonNull ? type : .nullable(type)
  }

  /// A type of which a document says what stands for its nulls.
  ///
  /// - Parameters:
  ///   - reference: The type as the schema writes it.
  ///   - forms: What stands for the value and for the elements of its lists, from the outside in.
  ///   - schema: The schema.
  init(_ reference: TypeReference, _ forms: ArraySlice<NullForm>, in schema: Schema) {
    guard let form = forms.first else {
      self = ValueType(reference, in: schema)
      return
    }
    var type: ValueType =
      switch reference.kind {
      case .list(let element): .list(ValueType(element, forms.dropFirst(), in: schema))
      case .named(let name): .named(name.value, in: schema)
      }
    if form.isNullable { type = .nullable(type) }
    self = form.isResult ? .result(type) : type
  }

  private static func named(_ name: String, in schema: Schema) -> ValueType {
    if let scalar = BuiltInScalar(rawValue: name) { return .scalar(scalar) }
    switch schema.type(named: name) {
    case .enum: return .enum(name)
    case .inputObject: return .inputObject(name)
    case .object, .interface, .union: return .object
    case .scalar, nil: return .customScalar(name)
    }
  }
}

extension ConstantValue {
  /// Variables do not occur in valid defaults.
  init(_ value: Value) {
    switch value.kind {
    case .int(let digits): self = .int(digits)
    case .float(let digits): self = .float(digits)
    case .string(let string): self = .string(string.value)
    case .boolean(let value): self = .boolean(value)
    case .enum(let name): self = .enum(name)
    case .list(let values): self = .list(values.map { ConstantValue($0) })
    case .object(let fields):
      self = .object(fields.map { Field(name: $0.name.value, value: ConstantValue($0.value)) })
    case .null, .variable: self = .null
    }
  }
}
