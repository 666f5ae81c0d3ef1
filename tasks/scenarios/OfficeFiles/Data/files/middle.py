"""The middle of a list of numbers."""


def middle(numbers):
    """The median: of an even number of them the mean of the two in the middle. The list stays as it is."""
    numbers.sort()
    return numbers[len(numbers) // 2]
