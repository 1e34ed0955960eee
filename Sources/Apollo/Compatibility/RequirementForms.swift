import ApolloAPI
import ApolloCache
import Foundation

/// Lets a protocol have one requirement in the forms of several releases, of which a type implements any one.
///
/// The default of each form calls the next form, and the last one the first. So any form leads to the one that is
/// implemented, and a type without any would call itself for ever: a default that finds that all others have just been
/// tried fails instead.
enum RequirementForms {
  private struct Trail {
    let object: ObjectIdentifier
    let requirement: String
    var forms: [Int]
  }

  private static let key = "apollo.requirement-forms"

  /// - Parameters:
  ///   - object: Whose requirement it is.
  ///   - requirement: Its name, which all forms have.
  ///   - form: Which one of them is called, from 0 on.
  ///   - count: How many there are.
  ///   - next: Calls the next form.
  ///   - fail: Says that the type implements none.
  static func call<Result>(
    of object: AnyObject, _ requirement: String, form: Int, of count: Int, next: () -> Result, fail: () -> Result
  ) -> Result {
    let thread = Thread.current.threadDictionary
    let outer = thread[key] as? Trail
    var trail = Trail(object: ObjectIdentifier(object), requirement: requirement, forms: [])
    // (A form that comes up again was called anew, by one that is implemented.)
    if let outer, outer.object == trail.object, outer.requirement == requirement, !outer.forms.contains(form) {
      trail.forms = outer.forms
    }
    trail.forms.append(form)
    guard trail.forms.count < count else { return fail() }
    thread[key] = trail
    defer { thread[key] = outer }
    return next()
  }

  /// What a type is told that implements no form of a requirement.
  static func failure(of object: AnyObject, _ requirement: String) -> OperationError {
    OperationError(.configuration, "\(type(of: object)) implements no form of '\(requirement)'.", operationName: nil)
  }
}

/// Calls a handler with the error of a type that implements no form of a requirement.
func failMissing<Data>(
  _ requirement: String, of object: AnyObject, on queue: DispatchQueue, _ handler: GraphQLResultHandler<Data>?
) -> any Cancellable {
  let handler = Handoff(handler), error = RequirementForms.failure(of: object, requirement)
  queue.async { handler.value?(.failure(error)) }
  return EmptyCancellable()
}
