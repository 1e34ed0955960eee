@testable import ApolloAPI
import ApolloIR
@testable import ApolloSwiftRenderer
import GraphQLSchema

/// What the initializer that the generator writes for a shape does, as data: tests can read operations that were never
/// compiled. The field tables are those of the generator.
final class ModelPlan {
  enum Typename {
    case none, stored
    case constant(String)
  }

  struct Step {
    enum Source {
      case field(Int, ValueType, ModelPlan?)
      /// A part of the key of some objects, which the document does not select.
      case keyField(Int, ValueType)
      case fragment(ModelPlan)
      case inlineFragment(ModelPlan)
    }

    var key: String
    var source: Source
    var condition: Int?
    var types: __TypeSet?
  }

  private(set) var table = __FieldTable(text: "")
  private(set) var typename = Typename.none
  private(set) var steps: [Step] = []

  fileprivate init() {}

  fileprivate func build(_ shape: Shape, _ builder: ModelPlanBuilder) {
    var text = FieldTableText()
    text.maxAge = shape.maxAge
    text.isPrivate = shape.isPrivate
    text.isLowestOnPath = builder.isLowestOnPath
    if shape.hasTypename {
      text.addTypename()
      typename = shape.parentType.isAbstract ? .stored : .constant(shape.parentType.name)
    }
    text.add(shape.keys)
    for field in shape.keyFields {
      steps.append(Step(key: field.name, source: .keyField(text.add(field), field.type)))
    }
    for case .field(let field) in shape.inherited where field.keyPosition != nil { _ = text.add(field) }
    for member in shape.members {
      switch member {
      case .field(let field):
        let position = text.add(field)
        let plan = field.shape.map(builder.plan)
        steps.append(
          Step(
            key: field.responseKey, source: .field(position, field.type, plan), condition: text.add(field.condition)))
      case .fragment(let fragment):
        // The inline fragment on its type reads it.
        if fragment.typeCondition != nil { continue }
        text.addFragment()
        guard let plan = builder.fragment(fragment.name) else { continue }
        steps.append(
          Step(
            key: "..." + fragment.name, source: .fragment(plan), condition: text.add(fragment.condition)))
      case .inlineFragment(let fragment):
        text.addFragment()
        steps.append(
          Step(
            key: "... on " + fragment.typeCondition, source: .inlineFragment(builder.plan(fragment.shape)),
            condition: text.add(fragment.condition), types: builder.types(fragment.typeCondition)))
      case .deferred: break
      }
    }
    table = __FieldTable(text: text.text)
  }
}

/// Makes the plans of one program.
final class ModelPlanBuilder {
  fileprivate let isLowestOnPath: Bool
  private let schema: Schema
  private let shapes: [String: Shape]
  private var fragments: [String: ModelPlan] = [:]

  init(_ program: Program, schema: Schema, isLowestOnPath: Bool = false) {
    self.isLowestOnPath = isLowestOnPath
    self.schema = schema
    shapes = Dictionary(program.fragments.map { ($0.name, $0.shape) }) { first, _ in first }
  }

  func plan(_ shape: Shape) -> ModelPlan {
    let plan = ModelPlan()
    plan.build(shape, self)
    return plan
  }

  fileprivate func fragment(_ name: String) -> ModelPlan? {
    if let known = fragments[name] { return known }
    guard let shape = shapes[name] else { return nil }
    let plan = ModelPlan()
    fragments[name] = plan
    plan.build(shape, self)
    return plan
  }

  fileprivate func types(_ condition: String) -> __TypeSet {
    __TypeSet(names: schema.type(named: condition).map { schema.possibleTypes(of: $0).map(\.name) } ?? [])
  }
}
