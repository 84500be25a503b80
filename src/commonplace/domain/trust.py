"""What words are worth: whose may take the place of whose, and what they are worth once they have.

From most to least trusted: what a person typed or confirmed; what an agent passes on; what was heard in the
person's own turn; an agent's words in the place of a person's, until the person has looked at them; what was
inferred, imported or dreamt. A person's hand may do anything. Otherwise words that wait for a person take
the place of nothing trusted more, and what was heard gives way to what was typed. An agent may change a
person's words: then they are the agent's, and wait.
"""

from commonplace.domain.memory import Origin


def of_new(door: Origin, inferred: bool) -> Origin:
    """What new words are worth: as much as the door they came in by, or less if they were only inferred."""
    return Origin.INFERRED if inferred and not door.waits_for_confirmation else door


def of_changed(old: Origin, door: Origin) -> Origin:
    """What a known memory is worth with new words. Whoever asks has been told whether they may change it."""
    if door.of_a_person:
        return Origin.TYPED
    return Origin.REVISED if old.of_a_person or old is Origin.REVISED else weaker(old, door)


def of_successor(new: Origin, old: Origin, hand: Origin) -> Origin:
    """What words are worth that took the place of others: an agent's in the place of a person's wait."""
    taken_over = old.of_a_person or old is Origin.REVISED
    return Origin.REVISED if taken_over and not hand.of_a_person and new is Origin.AGENT else new


def may_replace(new: Origin, old: Origin, hand: Origin) -> bool:
    """Whether words may change or put away others, when somebody's hand does it."""
    if hand.of_a_person:
        return True
    words = weaker(new, hand)
    if words is Origin.HEARD:
        return not old.of_a_person
    return not words.waits_for_confirmation or old.distrust >= words.distrust


def weaker(first: Origin, second: Origin) -> Origin:
    """The less trusted of two."""
    return max(first, second, key=lambda origin: origin.distrust)
